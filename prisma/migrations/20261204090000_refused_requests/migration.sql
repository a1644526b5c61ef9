-- The refused and failed requests of a day, which are few, for the operators' list of them.
-- Old writers: an index refuses none of their rows.
CREATE INDEX recent_request_refused ON recent_request (account_id, id) WHERE status >= 400;
