-- How far the clock of each process's host is off, and what finds work that a wrong clock put far
-- ahead: both indexes are empty, or nearly so, in a service that keeps up.

-- AlterTable
ALTER TABLE "process_pulse" ADD COLUMN     "clock_skew_ms" INTEGER NOT NULL DEFAULT 0;

CREATE INDEX batch_closing ON batch (due_at) WHERE status = 'closing';
-- What is pending, by when it was last written: nothing was written later than now.
CREATE INDEX delivery_written ON delivery (updated_at) WHERE due_at IS NOT NULL;
