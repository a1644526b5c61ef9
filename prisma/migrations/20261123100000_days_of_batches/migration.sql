-- A transaction is in the batch of its business date from its success on, unless it is voided or a
-- void of it is pending. Closing a batch changes one row; `batch_id` and `batched_at` of a
-- transaction are no longer written. They stay until the next release, since the version before
-- reads and writes them.
--
-- Old writers: a worker of the version before that closes a batch writes them as before, which
-- nothing here refuses, and leaves events_written null: it has written the events itself. An API
-- server of that version takes a transaction that this version batched for one that is not batched:
-- it refuses a refund of it until it is replaced, and a void fails here.

-- AlterTable
ALTER TABLE "batch" ADD COLUMN     "events_through" UUID,
ADD COLUMN     "events_written" INTEGER;

ALTER TABLE batch ADD CONSTRAINT batch_events_written CHECK (events_written BETWEEN 0 AND count);

-- What a batch takes, or has taken: to be counted and summed from the index alone, and listed.
DROP INDEX transaction_unbatched;
CREATE INDEX transaction_of_day ON transaction (account_id, business_date, created_at, id)
  INCLUDE (type, status, method, is_manual, total)
  WHERE business_date IS NOT NULL AND void_id IS NULL;

-- What finds the work of a closing that a wrong clock put far ahead.
DROP INDEX batch_closing;
CREATE INDEX batch_in_work ON batch (due_at) WHERE status = 'closing' OR events_written < count;

-- A refund needs a batch that takes nothing more: only the trigger can know that.
ALTER TABLE transaction DROP CONSTRAINT transaction_refund_needs_batch;

CREATE OR REPLACE FUNCTION refuse_change_of_final_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_in_day CONSTANT boolean := OLD.business_date IS NOT NULL AND OLD.void_id IS NULL;
  is_in_day CONSTANT boolean := NEW.business_date IS NOT NULL AND NEW.void_id IS NULL;
BEGIN
  IF (NEW.account_id, NEW.id, NEW.type, NEW.status, NEW.is_manual, NEW.created_at)
      IS DISTINCT FROM (OLD.account_id, OLD.id, OLD.type, OLD.status, OLD.is_manual, OLD.created_at)
    OR (NEW.reference_id, NEW.outcome_sequence, NEW.payment_link_id, NEW.invoice_id, NEW.invoice_try)
      IS DISTINCT FROM (OLD.reference_id, OLD.outcome_sequence, OLD.payment_link_id, OLD.invoice_id, OLD.invoice_try)
    OR (NOT OLD.is_manual
      AND (NEW.total, NEW.currency, NEW.customer_id, NEW.method, NEW.payment_method_id)
      IS DISTINCT FROM (OLD.total, OLD.currency, OLD.customer_id, OLD.method, OLD.payment_method_id))
    OR (OLD.batch_id IS NOT NULL
      AND (NEW.batch_id, NEW.batched_at, NEW.business_date)
      IS DISTINCT FROM (OLD.batch_id, OLD.batched_at, OLD.business_date))
    OR (OLD.is_voided AND (NOT NEW.is_voided OR NEW.void_id IS DISTINCT FROM OLD.void_id))
  THEN
    RAISE EXCEPTION 'transaction % is final', OLD.id
      USING ERRCODE = '23514', CONSTRAINT = 'transaction_is_final';
  END IF;
  -- Only an open batch gains or loses a transaction.
  IF (was_in_day, OLD.business_date) IS DISTINCT FROM (is_in_day, NEW.business_date)
    AND EXISTS (
      SELECT FROM batch
      WHERE account_id = OLD.account_id AND status <> 'open'
        AND (was_in_day AND business_date = OLD.business_date
          OR is_in_day AND business_date = NEW.business_date))
  THEN
    RAISE EXCEPTION 'transaction % is of a batch that is not open', OLD.id
      USING ERRCODE = '23514', CONSTRAINT = 'transaction_batch_is_open';
  END IF;
  IF NEW.type <> 'pre_auth' AND NEW.refunded + NEW.reserved > OLD.refunded + OLD.reserved
    AND NOT EXISTS (
      SELECT FROM batch
      WHERE account_id = OLD.account_id AND business_date = OLD.business_date AND status <> 'open')
  THEN
    RAISE EXCEPTION 'transaction % is not batched', OLD.id
      USING ERRCODE = '23514', CONSTRAINT = 'transaction_refund_needs_batch';
  END IF;
  RETURN NEW;
END $$;

-- A final transaction may change in every column that is not listed here. Its settled event changes
-- only version and updated_at, a hundred thousand times in a row: the trigger is not called for it.
DROP TRIGGER transaction_is_final ON transaction;
CREATE TRIGGER transaction_is_final BEFORE UPDATE OF account_id, id, type, method, status, currency,
    total, refunded, reserved, void_id, is_voided, is_manual, customer_id, payment_method_id,
    invoice_id, invoice_try, payment_link_id, reference_id, business_date, batch_id, batched_at,
    outcome_sequence, created_at
  ON transaction
  FOR EACH ROW WHEN (OLD.status <> 'PENDING') EXECUTE FUNCTION refuse_change_of_final_transaction();
