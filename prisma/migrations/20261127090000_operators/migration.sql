-- The operators of the console as persons, with passwords and roles of their own.
-- Old writers: they know no operators and open sessions without one, which the new column allows.
-- A session of an operator has no digest of the one password, so old processes let nobody in by it.

-- CreateEnum
CREATE TYPE "operator_role" AS ENUM ('view', 'operate', 'admin');

-- AlterTable
ALTER TABLE "operator_session" ADD COLUMN     "operator_id" UUID;

-- CreateTable
CREATE TABLE "operator" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "role" "operator_role" NOT NULL,
    "password" TEXT,
    "link_hash" BYTEA,
    "link_expires_at" TIMESTAMPTZ(3),
    "totp_secret" TEXT,
    "totp_step" BIGINT,
    "wrong_codes" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "last_signed_in_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "operator_name_key" ON "operator"("name_key");

-- CreateIndex
CREATE UNIQUE INDEX "operator_link_hash" ON "operator"("link_hash");

-- CreateIndex
CREATE INDEX "operator_session_operator_id_idx" ON "operator_session"("operator_id");

-- AddForeignKey
ALTER TABLE "operator_session" ADD CONSTRAINT "operator_session_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
