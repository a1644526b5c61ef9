-- What was given up, and a person has seen to: it waits for nobody any more. Where there are millions
-- of deliveries, make the column and then the index by hand before, the index concurrently.

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN IF NOT EXISTS "closed_at" TIMESTAMPTZ(3);

-- No row has one yet: there is nothing to look through while everybody waits.
ALTER TABLE delivery ADD CONSTRAINT delivery_closed_is_parked
  CHECK (closed_at IS NULL OR status = 'parked') NOT VALID;

-- What waits for a person: a few, however much was closed.
CREATE INDEX IF NOT EXISTS delivery_waiting ON delivery (channel, updated_at, account_id, id)
  WHERE status = 'parked' AND closed_at IS NULL;
DROP INDEX delivery_parked;
