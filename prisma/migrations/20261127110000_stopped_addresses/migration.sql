-- Addresses that an account sends nothing to, because no mailbox has them, and e-mail addresses whose
-- owners opted out of scheduled bills.
--
-- Old writers: a worker of the version before writes to none of these tables, sends to a stopped
-- address too, and marks no delivery as scheduled, so its bills go out without a link to opt out.

-- AlterEnum
ALTER TYPE "parked_reason" ADD VALUE 'suppressed';

-- CreateEnum
CREATE TYPE "stop_reason" AS ENUM ('no_such_address', 'opted_out');

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN "is_scheduled" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "stopped_address" (
    "account_id" UUID NOT NULL,
    "channel" "delivery_channel" NOT NULL,
    "address" TEXT NOT NULL,
    "reason" "stop_reason" NOT NULL,
    "detail" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stopped_address_pkey" PRIMARY KEY ("account_id","channel","address","reason")
);

-- CreateTable
CREATE TABLE "unsubscribe_name" (
    "token" CHAR(32) NOT NULL,
    "account_id" UUID NOT NULL,
    "address" TEXT NOT NULL,

    CONSTRAINT "unsubscribe_name_pkey" PRIMARY KEY ("token")
);

-- CreateIndex
CREATE UNIQUE INDEX "unsubscribe_name_account_id_address_key" ON "unsubscribe_name"("account_id", "address");
