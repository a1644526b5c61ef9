-- What operators look for among the deliveries of all teams, and endpoints that they pause. Where
-- there are millions of deliveries, make these indexes by hand before, each of them concurrently.
--
-- Old writers: a worker of the version before sends to a paused endpoint too.

-- AlterTable
ALTER TABLE "webhook" ADD COLUMN "paused_at" TIMESTAMPTZ(3);

-- Those that failed for good: few, among all that were sent. Those that wait have no such index, since
-- each delivery would have to be written to it.
CREATE INDEX IF NOT EXISTS delivery_failed ON delivery (account_id, id)
  WHERE status = 'parked' AND closed_at IS NULL;

-- Those that a person has dismissed.
CREATE INDEX IF NOT EXISTS delivery_dismissed ON delivery (account_id, id)
  WHERE closed_at IS NOT NULL;

-- What a person was sent.
CREATE INDEX IF NOT EXISTS delivery_of_recipient ON delivery (account_id, lower(recipient), id)
  WHERE channel <> 'webhook';

-- Each claim of due deliveries asks for the paused endpoints.
CREATE INDEX webhook_paused ON webhook (id) WHERE paused_at IS NOT NULL;
