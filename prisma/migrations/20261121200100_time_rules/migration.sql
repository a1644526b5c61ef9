-- What must be true of business days, batches, schedules, invoices and clocks, whatever the code
-- does.

-- ------------------------------------------------------------------------------------- the account

ALTER TABLE account
  ADD CONSTRAINT account_cutoff_is_a_time CHECK (cutoff ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD CONSTRAINT account_retry_days CHECK (
    cardinality(retry_days) <= 10 AND 1 <= ALL (retry_days) AND 365 >= ALL (retry_days)),
  -- A clock that stands still is going nowhere; one that is advanced goes forward.
  ADD CONSTRAINT account_clock_advances CHECK (
    CASE WHEN clock_target IS NULL
      THEN clock_from IS NULL AND clock_due_at IS NULL AND NOT clock_ends
      ELSE clock_from <= clock_at AND clock_at <= clock_target AND clock_due_at IS NOT NULL END);

CREATE INDEX account_clock_due ON account (clock_due_at) WHERE clock_due_at IS NOT NULL;

-- --------------------------------------------------------------------------------------- the batch

ALTER TABLE batch
  ADD CONSTRAINT batch_sums CHECK (
    count >= 0 AND sales >= 0 AND refunds >= 0 AND (status = 'closed' OR count = 0)),
  ADD CONSTRAINT batch_is_empty_or_not CHECK ((count = 0) = (sales + refunds = 0)),
  ADD CONSTRAINT batch_closed_at CHECK ((status = 'open') = (closed_at IS NULL)),
  -- No batch closes before its cutoff.
  ADD CONSTRAINT batch_closes_after_cutoff CHECK (closed_at >= cutoff_at),
  ADD CONSTRAINT batch_told_when_closed CHECK (told_at IS NULL OR status = 'closed'),
  ADD CONSTRAINT batch_deposit CHECK (
    (status = 'closed') = (deposit_at IS NOT NULL)
    AND (deposited_at IS NULL OR deposited_at >= deposit_at));

CREATE INDEX batch_due ON batch (due_at, account_id, id) WHERE due_at IS NOT NULL;
-- The one that takes what succeeds now, and those whose cutoff has passed.
CREATE INDEX batch_not_closed ON batch (account_id, cutoff_at) WHERE status <> 'closed';
CREATE INDEX batch_not_deposited ON batch (account_id, deposit_at) WHERE deposited_at IS NULL;

-- A batch goes one way, and its sums stand once it is closed.
CREATE FUNCTION refuse_change_of_closed_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.account_id, NEW.id, NEW.business_date, NEW.cutoff_at)
      IS DISTINCT FROM (OLD.account_id, OLD.id, OLD.business_date, OLD.cutoff_at)
    OR NEW.status < OLD.status
    OR (OLD.closed_at IS NOT NULL AND NEW.closed_at IS DISTINCT FROM OLD.closed_at)
    OR (OLD.status = 'closed' AND (NEW.count, NEW.sales, NEW.refunds, NEW.deposit_at)
      IS DISTINCT FROM (OLD.count, OLD.sales, OLD.refunds, OLD.deposit_at))
    OR (OLD.deposited_at IS NOT NULL AND NEW.deposited_at IS DISTINCT FROM OLD.deposited_at)
  THEN
    RAISE EXCEPTION 'batch % is closed', OLD.id
      USING ERRCODE = '23514', CONSTRAINT = 'batch_is_final';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER batch_is_final BEFORE UPDATE ON batch
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_closed_batch();

-- --------------------------------------------------------------------------------- the transaction
-- What succeeded before there were batches belongs in the first ones.

UPDATE transaction
SET business_date = ((updated_at AT TIME ZONE 'America/New_York') + interval '4 hours')::date
WHERE status = 'SUCCESS' AND type IN ('charge', 'capture', 'refund') AND NOT is_manual;

INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, created_at, due_at)
SELECT account_id,
  (lpad(to_hex((extract(epoch FROM cutoff_at) * 1000)::bigint), 12, '0') || '7'
    || left(md5(random()::text), 3) || '8' || left(md5(random()::text), 15))::uuid,
  business_date, cutoff_at, 'America/New_York', begun_at, cutoff_at
FROM (
  SELECT account_id, business_date, min(updated_at) AS begun_at,
    (business_date + time '20:00') AT TIME ZONE 'America/New_York' AS cutoff_at
  FROM transaction WHERE business_date IS NOT NULL AND NOT is_voided
  GROUP BY account_id, business_date
) day;

ALTER TABLE transaction
  -- A sale or a refund of a gateway has a day of business once it succeeded; nothing else has.
  ADD CONSTRAINT transaction_business_date CHECK (
    (business_date IS NOT NULL)
    = (status = 'SUCCESS' AND type IN ('charge', 'capture', 'refund') AND NOT is_manual)),
  ADD CONSTRAINT transaction_batch_takes_sales CHECK (batch_id IS NULL OR business_date IS NOT NULL),
  ADD CONSTRAINT transaction_invoice_try CHECK (
    invoice_try IS NULL OR (invoice_try > 0 AND invoice_id IS NOT NULL));

-- What its batch has still to take.
CREATE INDEX transaction_unbatched ON transaction (account_id, business_date, id)
  WHERE business_date IS NOT NULL AND batch_id IS NULL AND NOT is_voided;

-- Whatever is in a batch is not PENDING: said like this it also answers whether a batch is empty,
-- which the foreign key asks when one is deleted.
DROP INDEX transaction_of_batch;
CREATE INDEX transaction_of_batch ON transaction (account_id, batch_id, created_at, id)
  INCLUDE (type, status, method, is_manual) WHERE batch_id IS NOT NULL;

-- An invoice is paid once, whoever asks and with whatever key: one payment of it is under way, or
-- has paid it.
CREATE UNIQUE INDEX transaction_payment_of_invoice ON transaction (account_id, invoice_id)
  WHERE invoice_id IS NOT NULL AND type = 'charge' AND NOT is_manual AND NOT is_voided
    AND status <> 'FAILED';
CREATE UNIQUE INDEX transaction_try_of_invoice ON transaction (account_id, invoice_id, invoice_try)
  WHERE invoice_try IS NOT NULL;

CREATE OR REPLACE FUNCTION refuse_change_of_final_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NEW;
END $$;

-- ------------------------------------------------------------------------------------ the schedule

ALTER TABLE schedule
  ADD CONSTRAINT schedule_total_in_range CHECK (total BETWEEN 1 AND 9999999999),
  ADD CONSTRAINT schedule_currency_is_known CHECK (currency = 'USD'),
  ADD CONSTRAINT schedule_count CHECK (count >= 0 AND runs_of_day >= 0),
  -- Only what is active runs; what is due in real time runs in the account's.
  ADD CONSTRAINT schedule_runs_while_active CHECK (next_run_at IS NULL OR status = 'active'),
  ADD CONSTRAINT schedule_due_runs CHECK (due_at IS NULL OR next_run_at IS NOT NULL),
  ADD CONSTRAINT schedule_deleted_at CHECK ((status = 'deleted') = (deleted_at IS NOT NULL)),
  -- It is rewritten at each run.
  SET (fillfactor = 80);

CREATE INDEX schedule_due ON schedule (due_at, account_id, id) WHERE due_at IS NOT NULL;
CREATE INDEX schedule_next_run ON schedule (account_id, next_run_at, id)
  WHERE next_run_at IS NOT NULL;
-- Who may not be deleted.
CREATE INDEX schedule_uses_customer ON schedule (account_id, customer_id) WHERE status = 'active';
CREATE INDEX schedule_uses_payment_method ON schedule (account_id, payment_method_id)
  WHERE status = 'active';

CREATE FUNCTION refuse_change_of_deleted_schedule() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'schedule % is deleted', OLD.id
    USING ERRCODE = '23514', CONSTRAINT = 'schedule_is_deleted';
END $$;

CREATE TRIGGER schedule_is_deleted BEFORE UPDATE ON schedule
  FOR EACH ROW WHEN (OLD.status = 'deleted') EXECUTE FUNCTION refuse_change_of_deleted_schedule();

-- A run makes one invoice, and an invoice is of one run.
CREATE UNIQUE INDEX schedule_run_of_invoice ON schedule_run (account_id, invoice_id)
  WHERE invoice_id IS NOT NULL;

-- ------------------------------------------------------------------------------------- the invoice

ALTER TABLE invoice
  ADD CONSTRAINT invoice_total_in_range CHECK (total BETWEEN 1 AND 9999999999),
  ADD CONSTRAINT invoice_currency_is_known CHECK (currency = 'USD'),
  ADD CONSTRAINT invoice_sums CHECK (total_paid BETWEEN 0 AND total),
  ADD CONSTRAINT invoice_paid CHECK (
    (status = 'PAID') = (total_paid = total) AND (status = 'PAID') = (paid_at IS NOT NULL)
    AND (status <> 'PAID' OR payment_id IS NOT NULL)),
  ADD CONSTRAINT invoice_deleted_at CHECK ((status = 'DELETED') = (deleted_at IS NOT NULL)),
  -- Only what failed is tried again, and never beside another payment.
  ADD CONSTRAINT invoice_retry CHECK (
    retry_at IS NULL OR (status = 'ATTEMPTED' AND payment_id IS NULL AND payment_method_id IS NOT NULL)),
  ADD CONSTRAINT invoice_due_retries CHECK (due_at IS NULL OR retry_at IS NOT NULL),
  ADD CONSTRAINT invoice_token_form CHECK (token ~ '^[0-9a-f]{32}$'),
  SET (fillfactor = 80);

CREATE INDEX invoice_due ON invoice (due_at, account_id, id) WHERE due_at IS NOT NULL;
CREATE INDEX invoice_retry ON invoice (account_id, retry_at, id) WHERE retry_at IS NOT NULL;
-- What stops with its schedule.
CREATE INDEX invoice_retries_of_schedule ON invoice (account_id, schedule_id)
  WHERE retry_at IS NOT NULL;

-- ---------------------------------------------------------------------- the sandbox gateway's books

CREATE INDEX sandbox_gateway_payment_booked ON sandbox_gateway_payment (account_id, booked_at, key);
