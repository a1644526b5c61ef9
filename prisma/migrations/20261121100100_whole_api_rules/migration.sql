-- What must be true of captures, voids, refunds, of what is recorded by hand, and of payment links,
-- whatever the code does.

-- ------------------------------------------------------------------------------ the payment method

ALTER TABLE payment_method
  -- Cash and checks are the account's own; a card and a bank account are somebody's, and known to a
  -- gateway.
  ADD CONSTRAINT payment_method_built_in CHECK (
    (customer_id IS NULL) = (method IN ('cash', 'check'))
    AND (customer_id IS NULL) = (gateway_name IS NULL)
    AND (customer_id IS NULL) = (gateway_token IS NULL));

CREATE UNIQUE INDEX payment_method_one_built_in ON payment_method (account_id, method)
  WHERE customer_id IS NULL;

-- --------------------------------------------------------------------------------- the transaction

ALTER TABLE transaction
  DROP CONSTRAINT transaction_sums_hold,
  DROP CONSTRAINT transaction_parent,
  DROP CONSTRAINT transaction_owed_is_known,
  -- Of a pre_auth nothing is captured, or on its way to be, beyond the total. Of anything else
  -- nothing is refunded, or on its way to be, beyond what was captured.
  ADD CONSTRAINT transaction_sums_hold CHECK (
    0 <= captured AND 0 <= refunded AND 0 <= reserved
    AND CASE WHEN type = 'pre_auth'
      THEN refunded = 0 AND captured + reserved <= total
      ELSE refunded + reserved <= captured AND captured <= total END),
  -- A void takes the whole, before the batch does; a refund is asked of what the batch took. Never
  -- both.
  ADD CONSTRAINT transaction_void_is_whole CHECK (
    void_id IS NULL
    OR (status = 'SUCCESS' AND type IN ('charge', 'capture', 'pre_auth') AND batched_at IS NULL
      AND refunded = 0 AND reserved = 0 AND (type <> 'pre_auth' OR captured = 0))),
  ADD CONSTRAINT transaction_voided_by_a_void CHECK (NOT is_voided OR void_id IS NOT NULL),
  ADD CONSTRAINT transaction_refund_needs_batch CHECK (
    type = 'pre_auth' OR refunded + reserved = 0 OR batched_at IS NOT NULL),
  ADD CONSTRAINT transaction_batched_at CHECK ((batch_id IS NULL) = (batched_at IS NULL)),
  -- What is asked of a gateway as a capture, a void or a refund has a parent; nothing else has.
  ADD CONSTRAINT transaction_parent CHECK (
    (NOT is_manual AND type IN ('capture', 'void', 'refund')) = (reference_id IS NOT NULL)),
  -- No gateway has heard of what was recorded by hand.
  ADD CONSTRAINT transaction_manual_has_no_gateway CHECK (is_manual = (gateway_name IS NULL)),
  ADD CONSTRAINT transaction_owed_is_known CHECK (
    owed = 'doubt' OR owed = CASE WHEN type IN ('void', 'refund') THEN 'refund' ELSE 'charge' END);

CREATE INDEX transaction_family ON transaction (account_id, reference_id, created_at)
  WHERE reference_id IS NOT NULL;

-- Now of batches and voids too: what a batch took stays in it, what was voided stays void.
CREATE OR REPLACE FUNCTION refuse_change_of_final_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.account_id, NEW.id, NEW.type, NEW.status, NEW.is_manual, NEW.created_at)
      IS DISTINCT FROM (OLD.account_id, OLD.id, OLD.type, OLD.status, OLD.is_manual, OLD.created_at)
    OR (NEW.reference_id, NEW.outcome_sequence, NEW.payment_link_id)
      IS DISTINCT FROM (OLD.reference_id, OLD.outcome_sequence, OLD.payment_link_id)
    OR (NOT OLD.is_manual
      AND (NEW.total, NEW.currency, NEW.customer_id, NEW.method, NEW.payment_method_id)
      IS DISTINCT FROM (OLD.total, OLD.currency, OLD.customer_id, OLD.method, OLD.payment_method_id))
    OR (OLD.batch_id IS NOT NULL
      AND (NEW.batch_id, NEW.batched_at) IS DISTINCT FROM (OLD.batch_id, OLD.batched_at))
    OR (OLD.is_voided AND (NOT NEW.is_voided OR NEW.void_id IS DISTINCT FROM OLD.void_id))
  THEN
    RAISE EXCEPTION 'transaction % is final', OLD.id
      USING ERRCODE = '23514', CONSTRAINT = 'transaction_is_final';
  END IF;
  RETURN NEW;
END $$;

-- ---------------------------------------------------------------------------------- payment links

ALTER TABLE payment_link
  ADD CONSTRAINT payment_link_id_form CHECK (id ~ '^[0-9a-f]{32}$'),
  ADD CONSTRAINT payment_link_amount CHECK (amount BETWEEN 1 AND 9999999999),
  ADD CONSTRAINT payment_link_sums CHECK (total_sales >= 0 AND total_transactions >= 0);

-- --------------------------------------------------------------------- the sandbox gateway's books

CREATE INDEX sandbox_gateway_payment_family ON sandbox_gateway_payment (account_id, parent_key)
  WHERE parent_key IS NOT NULL;
