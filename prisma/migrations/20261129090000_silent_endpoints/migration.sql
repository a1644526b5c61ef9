-- An endpoint that does not answer rests, in all processes: it gets nothing until then, and after
-- that one delivery at a time until it answers.
-- Old writers: they keep such rests in memory, and neither read nor write these columns.
ALTER TABLE webhook
  ADD COLUMN silences SMALLINT NOT NULL DEFAULT 0,
  ADD COLUMN resting_until TIMESTAMPTZ(3);

CREATE INDEX webhook_silent ON webhook (id) WHERE silences > 0;
