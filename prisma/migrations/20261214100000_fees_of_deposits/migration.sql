-- What a gateway keeps of a batch, and what its payouts bring to the bank account.
--
-- Old writers: they write parts of payouts without these amounts, and leave the fees of the batch
-- null. A process of this version that reads the payout again fills them in.

ALTER TABLE "batch" ADD COLUMN "fees" BIGINT;

ALTER TABLE "batch_payout"
  ADD COLUMN "amount" BIGINT,
  ADD COLUMN "fees" BIGINT,
  ADD COLUMN "payout_amount" BIGINT,
  ADD COLUMN "payout_other" BIGINT;

ALTER TABLE batch_payout ADD CONSTRAINT batch_payout_amounts CHECK (
  num_nulls(amount, fees, payout_amount, payout_other) IN (0, 4));
