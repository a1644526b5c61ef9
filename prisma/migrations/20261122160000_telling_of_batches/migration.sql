-- Telling the gateway of a closed batch is work of its own, with its own due time: closing the batch
-- and announcing its deposit keep due_at.

ALTER TABLE "batch"
  ADD COLUMN "tell_due_at" TIMESTAMPTZ(3),
  ADD COLUMN "tell_attempt" INTEGER NOT NULL DEFAULT 0;

-- A worker of the version before closes a batch without tell_due_at: due_at is then when its gateway
-- must be told.
CREATE INDEX batch_untold ON batch (coalesce(tell_due_at, due_at), account_id, id)
  WHERE status = 'closed' AND told_at IS NULL;
