-- What happens to a payment after its end: disputes, reversals, and the payouts that bring the money.
-- A final transaction never changes; these are rows of their own.
--
-- Old writers: a worker of the version before that closes a live batch writes the calendar's deposit
-- date, as before, and nothing here refuses that.

-- CreateEnum
CREATE TYPE "payout_status" AS ENUM ('paid', 'failed');

-- CreateEnum
CREATE TYPE "dispute_status" AS ENUM ('warning', 'warning_closed', 'needs_response', 'under_review', 'won', 'lost');

-- CreateEnum
CREATE TYPE "reversal_kind" AS ENUM ('refund_failed', 'debit_returned');

-- CreateTable
CREATE TABLE "batch_payout" (
    "account_id" UUID NOT NULL,
    "batch_id" UUID NOT NULL,
    "gateway_name" TEXT NOT NULL,
    "gateway_id" TEXT NOT NULL,
    "status" "payout_status" NOT NULL,
    "count" INTEGER NOT NULL,
    "arrives_at" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "batch_payout_pkey" PRIMARY KEY ("account_id","batch_id","gateway_name","gateway_id")
);

-- CreateTable
CREATE TABLE "dispute" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "gateway_name" TEXT NOT NULL,
    "gateway_id" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "status" "dispute_status" NOT NULL,
    "reason" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "respond_by" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "reversal" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "gateway_name" TEXT NOT NULL,
    "gateway_id" TEXT NOT NULL,
    "kind" "reversal_kind" NOT NULL,
    "reason" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reversal_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "gateway_feed" (
    "gateway_name" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "read_through" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "gateway_feed_pkey" PRIMARY KEY ("gateway_name","place")
);

-- CreateIndex
CREATE INDEX "dispute_account_id_transaction_id_idx" ON "dispute"("account_id", "transaction_id");

-- CreateIndex
CREATE INDEX "dispute_account_id_created_at_id_idx" ON "dispute"("account_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "dispute_account_id_gateway_name_gateway_id_key" ON "dispute"("account_id", "gateway_name", "gateway_id");

-- CreateIndex
CREATE INDEX "reversal_account_id_transaction_id_idx" ON "reversal"("account_id", "transaction_id");

-- CreateIndex
CREATE INDEX "reversal_account_id_created_at_id_idx" ON "reversal"("account_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "reversal_account_id_gateway_name_gateway_id_key" ON "reversal"("account_id", "gateway_name", "gateway_id");

-- AddForeignKey
ALTER TABLE "batch_payout" ADD CONSTRAINT "batch_payout_account_id_batch_id_fkey" FOREIGN KEY ("account_id", "batch_id") REFERENCES "batch"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_account_id_transaction_id_fkey" FOREIGN KEY ("account_id", "transaction_id") REFERENCES "transaction"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reversal" ADD CONSTRAINT "reversal_account_id_transaction_id_fkey" FOREIGN KEY ("account_id", "transaction_id") REFERENCES "transaction"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE dispute
  ADD CONSTRAINT dispute_amount CHECK (amount >= 0),
  ADD CONSTRAINT dispute_is_closed CHECK (
    (status IN ('won', 'lost', 'warning_closed')) = (closed_at IS NOT NULL)
    AND (closed_at IS NULL OR respond_by IS NULL));

-- They are read again with each reading of their feed.
CREATE INDEX dispute_open ON dispute (gateway_name, place, id) WHERE closed_at IS NULL;

ALTER TABLE reversal ADD CONSTRAINT reversal_amount CHECK (amount >= 0);

ALTER TABLE batch_payout ADD CONSTRAINT batch_payout_count CHECK (count > 0);

CREATE INDEX gateway_feed_due ON gateway_feed (due_at);

-- Where the gateway pays out, a closed batch has no date of its deposit until its payouts are paid.
ALTER TABLE batch DROP CONSTRAINT batch_deposit;
ALTER TABLE batch ADD CONSTRAINT batch_deposit CHECK (
  (status = 'closed' OR deposit_at IS NULL)
  AND (deposited_at IS NULL OR coalesce(deposited_at >= deposit_at, false)));

-- The date of a deposit is never moved. It is lost if a payout fails.
CREATE OR REPLACE FUNCTION refuse_change_of_closed_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.account_id, NEW.id, NEW.business_date, NEW.cutoff_at)
      IS DISTINCT FROM (OLD.account_id, OLD.id, OLD.business_date, OLD.cutoff_at)
    OR NEW.status < OLD.status
    OR (OLD.closed_at IS NOT NULL AND NEW.closed_at IS DISTINCT FROM OLD.closed_at)
    OR (OLD.status = 'closed' AND (NEW.count, NEW.sales, NEW.refunds)
      IS DISTINCT FROM (OLD.count, OLD.sales, OLD.refunds))
    OR (OLD.deposit_at IS NOT NULL AND NEW.deposit_at <> OLD.deposit_at)
    OR (OLD.deposited_at IS NOT NULL AND NEW.deposited_at IS DISTINCT FROM OLD.deposited_at
      AND NEW.deposit_at IS NOT NULL)
  THEN
    RAISE EXCEPTION 'batch % is closed', OLD.id
      USING ERRCODE = '23514', CONSTRAINT = 'batch_is_final';
  END IF;
  RETURN NEW;
END $$;
