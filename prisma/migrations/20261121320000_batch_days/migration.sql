-- The batches of a span of days, whosever they are: what operators look at.

-- CreateIndex
CREATE INDEX "batch_by_day" ON "batch"("business_date", "account_id");
