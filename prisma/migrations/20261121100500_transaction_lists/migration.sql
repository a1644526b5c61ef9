-- What answers the lists of transactions and of events in an account of millions, and what counts
-- the transactions.

-- ----------------------------------------------------------------------------- what is not decided
-- A PENDING transaction is written three times within moments, and each write touches every index
-- that knows it: so this is the only one of the lists that does. There are few of them, and whoever
-- wants them in another order sorts. A CHECK holds its condition to be the same as PENDING; it is
-- not written like that, or the index would look as good as the primary key to every statement about
-- a single transaction that is PENDING.

DROP INDEX transaction_account_id_created_at_idx;
CREATE INDEX transaction_pending ON transaction (account_id, created_at, id)
  WHERE (due_at IS NULL AND parked_at IS NULL) IS FALSE;

-- ------------------------------------------------------------------------------------------- sorts
-- Of what is decided, written once. The kind stands first, all that changes no more and has few
-- values: the tally below knows which kinds an account has, and a page is merged from one run of the
-- index a kind. So whatever is filtered by kind is read in its order and nothing else is, however
-- rare it is and wherever it lies. Ties go by id.

CREATE INDEX transaction_by_created_at
  ON transaction (account_id, type, status, method, is_manual, created_at, id) INCLUDE (total)
  WHERE status <> 'PENDING';
CREATE INDEX transaction_by_updated_at
  ON transaction (account_id, type, status, method, is_manual, updated_at, id)
  WHERE status <> 'PENDING';
CREATE INDEX transaction_by_total
  ON transaction (account_id, type, status, method, is_manual, total, id)
  WHERE status <> 'PENDING';
CREATE INDEX transaction_by_last_four
  ON transaction (account_id, type, status, method, is_manual, last_four, id)
  WHERE status <> 'PENDING';
-- By status: within one, only the id is left to sort by.
CREATE INDEX transaction_by_status
  ON transaction (account_id, type, status, method, is_manual, id)
  WHERE status <> 'PENDING';

-- ----------------------------------------------------------------------------------------- filters
-- Each by the newest, and with the kind at hand, so that it is counted without the rows.

CREATE INDEX transaction_of_customer ON transaction (account_id, customer_id, created_at, id)
  INCLUDE (type, status, method, is_manual) WHERE status <> 'PENDING';
CREATE INDEX transaction_of_payment_method
  ON transaction (account_id, payment_method_id, created_at, id)
  INCLUDE (type, status, method, is_manual) WHERE status <> 'PENDING';
CREATE INDEX transaction_of_invoice ON transaction (account_id, invoice_id, created_at, id)
  INCLUDE (type, status, method, is_manual) WHERE status <> 'PENDING' AND invoice_id IS NOT NULL;
CREATE INDEX transaction_of_schedule ON transaction (account_id, schedule_id, created_at, id)
  INCLUDE (type, status, method, is_manual) WHERE status <> 'PENDING' AND schedule_id IS NOT NULL;
CREATE INDEX transaction_of_payment_link
  ON transaction (account_id, payment_link_id, created_at, id)
  INCLUDE (type, status, method, is_manual)
  WHERE status <> 'PENDING' AND payment_link_id IS NOT NULL;
CREATE INDEX transaction_of_batch ON transaction (account_id, batch_id, created_at, id)
  INCLUDE (type, status, method, is_manual) WHERE status <> 'PENDING' AND batch_id IS NOT NULL;

-- ---------------------------------------------------------------------------------------- keywords
-- Customers have an index of their own for this, and idempotency keys a table. The gateway has few
-- words for a success and says nothing by them; it is told why something failed, and what was
-- recorded by hand is in somebody's own words. The expression is that of
-- src/payments/lists/keywords.ts, to the letter.

CREATE INDEX transaction_of_auth_id ON transaction (account_id, auth_id)
  WHERE status <> 'PENDING' AND auth_id IS NOT NULL;
CREATE INDEX transaction_search ON transaction
  USING gin (account_id, (coalesce(message || ' ', '') || coalesce(source, '')) gin_trgm_ops)
  WHERE status = 'FAILED' OR is_manual;

-- ------------------------------------------------------------------------------------------- tally
-- How many transactions of each kind were decided, by the day and by the month (UTC) of their
-- created_at: so a list knows its total without counting, and a page far down where it begins.
--
-- Kept by the database itself, whoever decides a transaction and by whatever statement; and by the
-- statement, not by the row: a round of two hundred costs what one costs.

CREATE TYPE tally_span AS ENUM ('day', 'month');

CREATE TABLE transaction_tally (
    "account_id" UUID NOT NULL,
    "span" "tally_span" NOT NULL,
    "starts" DATE NOT NULL,
    "type" "transaction_type" NOT NULL,
    "status" "transaction_status" NOT NULL,
    "method" "method" NOT NULL,
    "is_manual" BOOLEAN NOT NULL,
    "shard" SMALLINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "transaction_tally_pkey"
      PRIMARY KEY ("account_id","span","starts","type","status","method","is_manual","shard")
);

-- A row is raised by every round: room on its page keeps that off the primary key.
ALTER TABLE transaction_tally SET (fillfactor = 50),
  ADD CONSTRAINT transaction_tally_is_of_decided CHECK (status <> 'PENDING');

-- A shard is one transaction's alone until its commit: so two of them never wait for each other's
-- counts, nor for each other in a circle, whatever else they hold. As many shards are used as
-- transactions decide something at the same moment, which is few.
CREATE FUNCTION free_tally_shard() RETURNS smallint LANGUAGE plpgsql AS $$
DECLARE
  class CONSTANT integer := 72707;
  most CONSTANT integer := 64;
BEGIN
  FOR shard IN 0 .. most - 1 LOOP
    IF pg_try_advisory_xact_lock(class, shard) THEN RETURN shard; END IF;
  END LOOP;
  PERFORM pg_advisory_xact_lock(class, pg_backend_pid() % most);
  RETURN pg_backend_pid() % most;
END $$;

CREATE FUNCTION tally_changed_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Most statements decide nothing.
  IF NOT EXISTS (SELECT FROM new_rows WHERE status <> 'PENDING') THEN RETURN NULL; END IF;
  INSERT INTO transaction_tally AS tally
  SELECT change.account_id, span, date_trunc(span::text, change.day)::date,
    change.type, change.status, change.method, change.is_manual,
    shard.free, sum(change.by)
  FROM (
    SELECT account_id, (created_at AT TIME ZONE 'UTC')::date::timestamp AS day,
      type, status, method, is_manual, sum(by) AS by
    FROM (
      SELECT account_id, created_at, type, status, method, is_manual, 1 AS by FROM new_rows
      UNION ALL
      SELECT account_id, created_at, type, status, method, is_manual, -1 FROM old_rows
    ) both_rows
    WHERE status <> 'PENDING'
    GROUP BY 1, 2, 3, 4, 5, 6
    HAVING sum(by) <> 0
  ) change
  CROSS JOIN unnest(enum_range(NULL::tally_span)) AS span
  CROSS JOIN (SELECT free_tally_shard() AS free OFFSET 0) shard
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (account_id, span, starts, type, status, method, is_manual, shard)
    DO UPDATE SET count = tally.count + excluded.count;
  RETURN NULL;
END $$;

CREATE FUNCTION tally_inserted_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO transaction_tally AS tally
  SELECT NEW.account_id, span, date_trunc(span::text, NEW.created_at AT TIME ZONE 'UTC')::date,
    NEW.type, NEW.status, NEW.method, NEW.is_manual, shard.free, 1
  FROM unnest(enum_range(NULL::tally_span)) AS span
  CROSS JOIN (SELECT free_tally_shard() AS free OFFSET 0) shard
  ON CONFLICT (account_id, span, starts, type, status, method, is_manual, shard)
    DO UPDATE SET count = tally.count + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER transaction_change_is_tallied AFTER UPDATE ON transaction
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_transactions();

-- By the row: what is inserted is PENDING, and then this is not even called, or recorded by hand.
CREATE TRIGGER transaction_insert_is_tallied AFTER INSERT ON transaction
  FOR EACH ROW WHEN (NEW.status <> 'PENDING') EXECUTE FUNCTION tally_inserted_transaction();

INSERT INTO transaction_tally
SELECT account_id, span, date_trunc(span::text, created_at AT TIME ZONE 'UTC')::date,
  type, status, method, is_manual, 0, count(*)
FROM transaction CROSS JOIN unnest(enum_range(NULL::tally_span)) AS span
WHERE status <> 'PENDING'
GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- ------------------------------------------------------------------------------------------ events
-- Events live for a month and are counted by their indexes: no tally. All of them by their time; and
-- those of one type, but for the commonest: among a charge's events it is the one that there always
-- is, so a look through all of them soon finds a page of it, and its writing is spared an index.

CREATE INDEX event_by_type ON event (account_id, type, created_at, id)
  WHERE type <> 'create_transaction';
