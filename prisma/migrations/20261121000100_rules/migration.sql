-- What must be true whatever the code does. Each rule stands in src/core as well; a new way in
-- cannot forget it here.

-- ------------------------------------------------------------------------------------- the account

ALTER TABLE account
  ADD CONSTRAINT account_rate_limit_is_positive CHECK (rate_limit_per_minute > 0),
  -- Live accounts live by the real clock.
  ADD CONSTRAINT account_clock_is_of_sandbox CHECK (clock_at IS NULL OR mode = 'sandbox');

-- SHA-256, never the key.
ALTER TABLE key_hash ADD CONSTRAINT key_hash_is_a_hash CHECK (octet_length(hash) = 32);

-- ------------------------------------------------------------------------------ the payment method

-- A card number or an account number is all digits. A token is not.
ALTER TABLE payment_method
  ADD CONSTRAINT payment_method_token_is_no_number CHECK (gateway_token !~ '^[0-9 -]*$'),
  ADD CONSTRAINT payment_method_last_four CHECK (char_length(last_four) <= 4);

-- What is deleted is in no list. Partial, so that these never look as good as the primary key to
-- whoever wants one row.
CREATE INDEX customer_listed ON customer (account_id, created_at) WHERE deleted_at IS NULL;
CREATE INDEX payment_method_listed ON payment_method (account_id, created_at)
  WHERE deleted_at IS NULL;
CREATE INDEX payment_method_of_customer ON payment_method (account_id, customer_id)
  WHERE deleted_at IS NULL;

-- A customer has one default.
CREATE UNIQUE INDEX payment_method_default ON payment_method (account_id, customer_id)
  WHERE is_default AND deleted_at IS NULL;

-- --------------------------------------------------------------------------------- the transaction

ALTER TABLE transaction
  ADD CONSTRAINT transaction_total_in_range CHECK (total BETWEEN 1 AND 9999999999),
  ADD CONSTRAINT transaction_currency_is_known CHECK (currency = 'USD'),
  -- What is refunded, and what is on its way to be, was captured before; nothing is captured beyond
  -- the total.
  ADD CONSTRAINT transaction_sums_hold
    CHECK (0 <= refunded AND 0 <= reserved
      AND refunded + reserved <= captured AND captured <= total),
  -- Only success captures.
  ADD CONSTRAINT transaction_capture_needs_success CHECK (captured = 0 OR status = 'SUCCESS'),
  -- A capture, a void and a refund have a parent; nothing else has.
  ADD CONSTRAINT transaction_parent
    CHECK ((type IN ('capture', 'void', 'refund')) = (reference_id IS NOT NULL)),
  -- What is PENDING owes something, by some time, or is parked where a person sees it. What is
  -- final owes nothing.
  ADD CONSTRAINT transaction_pending_owes CHECK ((status = 'PENDING') = (owed IS NOT NULL)),
  -- What was decided was told of.
  ADD CONSTRAINT transaction_outcome_is_told
    CHECK (status = 'PENDING' OR is_manual OR outcome_sequence IS NOT NULL),
  ADD CONSTRAINT transaction_owed_is_known CHECK (owed IN ('charge', 'doubt')),
  ADD CONSTRAINT transaction_due_or_parked
    CHECK (CASE WHEN status = 'PENDING'
      THEN (due_at IS NULL) <> (parked_at IS NULL) AND deadline_at IS NOT NULL
      ELSE due_at IS NULL AND parked_at IS NULL END),
  -- It is rewritten twice within moments of its birth: room on its page spares the indexes.
  SET (fillfactor = 80);

CREATE INDEX transaction_due ON transaction (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX transaction_parked ON transaction (parked_at) WHERE parked_at IS NOT NULL;

-- A final transaction keeps its outcome, and one that the service made keeps what it was made of:
-- money has moved by it.
CREATE FUNCTION refuse_change_of_final_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.account_id, NEW.id, NEW.type, NEW.status, NEW.is_manual)
      IS DISTINCT FROM (OLD.account_id, OLD.id, OLD.type, OLD.status, OLD.is_manual)
    OR (NEW.reference_id, NEW.outcome_sequence)
      IS DISTINCT FROM (OLD.reference_id, OLD.outcome_sequence)
    OR (NOT OLD.is_manual AND (NEW.total, NEW.currency, NEW.customer_id, NEW.payment_method_id)
      IS DISTINCT FROM (OLD.total, OLD.currency, OLD.customer_id, OLD.payment_method_id))
  THEN
    RAISE EXCEPTION 'transaction % is final', OLD.id
      USING ERRCODE = '23514', CONSTRAINT = 'transaction_is_final';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER transaction_is_final BEFORE UPDATE ON transaction
  FOR EACH ROW WHEN (OLD.status <> 'PENDING') EXECUTE FUNCTION refuse_change_of_final_transaction();

-- Transactions are for ever.
CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% keeps its rows', TG_TABLE_NAME
    USING ERRCODE = '23514', CONSTRAINT = 'transaction_is_kept';
END $$;

CREATE TRIGGER transaction_is_kept BEFORE DELETE ON transaction
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion();

-- ------------------------------------------------------------------------------------- idempotency

ALTER TABLE idempotency
  ADD CONSTRAINT idempotency_key_length CHECK (char_length(key) BETWEEN 1 AND 255),
  ADD CONSTRAINT idempotency_answer_is_whole CHECK ((answer IS NULL) = (answer_status IS NULL));

-- --------------------------------------------------------------------- the sandbox gateway's books

ALTER TABLE sandbox_gateway_token
  ADD CONSTRAINT sandbox_gateway_token_is_no_number CHECK (token !~ '^[0-9 -]*$');

ALTER TABLE sandbox_gateway_payment
  ADD CONSTRAINT sandbox_gateway_payment_amount CHECK (amount > 0),
  ADD CONSTRAINT sandbox_gateway_payment_outcome
    CHECK (outcome IN ('approved', 'declined', 'slow', 'lost'));
