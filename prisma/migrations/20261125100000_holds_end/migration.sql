-- A gateway that grants one capture releases the rest of the hold.

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "hold_ended_at" TIMESTAMPTZ(3);

-- Old writers: they leave it null, which passes.
ALTER TABLE transaction ADD CONSTRAINT transaction_hold
  CHECK (hold_ended_at IS NULL OR type = 'pre_auth') NOT VALID;
