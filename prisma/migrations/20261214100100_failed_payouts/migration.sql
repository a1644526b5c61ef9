-- The doctor names batches whose payout has failed: there are few.
-- Old writers: they fill the index, and do not read it.
CREATE INDEX batch_payout_failed ON batch_payout (updated_at) WHERE status = 'failed';
