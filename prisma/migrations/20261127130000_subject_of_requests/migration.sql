-- What a request of the last day was about, and why it was refused, so that the page of a payment
-- tells why its refund was refused.
-- Old writers: they leave both columns out, which are null then.
ALTER TABLE "recent_request" ADD COLUMN     "message" TEXT,
ADD COLUMN     "subject_id" UUID;

-- CreateIndex
CREATE INDEX "recent_request_account_id_subject_id_idx" ON "recent_request"("account_id", "subject_id");
