-- The requests of a key, for the operators' list of them: the key may have sent few of many.
-- Old writers: an index refuses none of their rows.
CREATE INDEX "recent_request_account_id_key_id_id_idx" ON "recent_request"("account_id", "key_id", "id");
