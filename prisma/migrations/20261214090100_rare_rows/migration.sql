-- The requests of a day that failed (5xx) and the disputes that a merchant can answer, for the operators' lists. Both
-- are rare: without an index of them alone, the planner would rather scan the whole table for each account.
-- Old writers: an index refuses none of their rows.
CREATE INDEX recent_request_failed ON recent_request (account_id, id) WHERE status >= 500;
CREATE INDEX dispute_to_answer ON dispute (account_id, id) WHERE respond_by IS NOT NULL;
