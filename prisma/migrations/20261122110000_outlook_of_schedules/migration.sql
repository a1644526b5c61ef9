-- What lists show of a schedule's rule is kept in its row, by whoever writes its next run: rows of
-- before have it from their next run, or their next change, on. And why the service has paused a
-- schedule, until somebody resumes it.

-- AlterTable
ALTER TABLE "schedule" ADD COLUMN     "outlook" JSONB,
ADD COLUMN     "parked_reason" TEXT;

-- No row has one yet: there is nothing to look through while everybody waits.
ALTER TABLE schedule ADD CONSTRAINT schedule_parked_runs_not
  CHECK (parked_reason IS NULL OR next_run_at IS NULL) NOT VALID;

CREATE INDEX schedule_parked ON schedule (account_id, created_at, id)
  WHERE parked_reason IS NOT NULL;
