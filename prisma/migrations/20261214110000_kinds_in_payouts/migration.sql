-- What a payout holds besides payments and refunds, by kind.
--
-- Old writers: they leave it null, or as it was when they read the same payout again.

ALTER TABLE "batch_payout" ADD COLUMN "payout_extras" JSONB;
