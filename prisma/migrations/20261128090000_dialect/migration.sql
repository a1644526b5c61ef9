-- The form in which a key's answers are written, and the events of the endpoints that it created.
--
-- Old writers: they leave these columns out, so their keys and endpoints have the standard form.

-- CreateEnum
CREATE TYPE "dialect" AS ENUM ('standard', 'stax');

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "dialect" "dialect" NOT NULL DEFAULT 'standard';

-- AlterTable
ALTER TABLE "webhook" ADD COLUMN     "dialect" "dialect" NOT NULL DEFAULT 'standard';
