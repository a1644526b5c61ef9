-- How many decided transactions of each kind have the same words: so a list knows how many match a
-- keyword without visiting them. The words of failures are few texts; those recorded by hand may be
-- a text each, but side by side here they are searched in a fraction of the time.
--
-- Successes have no words, so their commits pay only for the question whether there are any.
-- Old writers: they change transactions as before, and the triggers keep the lines.

-- The lines below must be of all transactions, so none is decided meanwhile.
LOCK TABLE transaction IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE transaction_words (
    "account_id" UUID NOT NULL,
    "words_hash" BYTEA NOT NULL,
    "type" "transaction_type" NOT NULL,
    "status" "transaction_status" NOT NULL,
    "method" "method" NOT NULL,
    "is_manual" BOOLEAN NOT NULL,
    "shard" SMALLINT NOT NULL,
    "words" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "transaction_words_pkey"
      PRIMARY KEY ("account_id","words_hash","type","status","method","is_manual","shard")
);

-- The expression and the condition of transaction_search, which finds the transactions.
CREATE FUNCTION words_of(message text, source text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT coalesce(message || ' ', '') || coalesce(source, '') $$;

INSERT INTO transaction_words
SELECT account_id, sha256(convert_to(words, 'UTF8')), type, status, method, is_manual, 0, words, count
FROM (
  SELECT account_id, type, status, method, is_manual, words_of(message, source) AS words,
    count(*) AS count
  FROM transaction
  WHERE (status = 'FAILED' OR is_manual) AND status <> 'PENDING'
  GROUP BY 1, 2, 3, 4, 5, 6
) texts;

-- Partial, like the other searches, because the schema cannot describe it.
CREATE INDEX transaction_words_search ON transaction_words
  USING gin (account_id, words gin_trgm_ops) WITH (gin_pending_list_limit = 256)
  WHERE account_id IS NOT NULL;

CREATE FUNCTION tally_changed_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows WHERE status = 'FAILED' OR is_manual) THEN
    RETURN NULL;
  END IF;
  INSERT INTO transaction_words AS line
  SELECT account_id, sha256(convert_to(words, 'UTF8')), type, status, method, is_manual,
    shard.free, words, change
  FROM (
    SELECT account_id, type, status, method, is_manual, words_of(message, source) AS words,
      sum(by) AS change
    FROM (
      SELECT account_id, type, status, method, is_manual, message, source, 1 AS by FROM new_rows
      UNION ALL
      SELECT account_id, type, status, method, is_manual, message, source, -1 FROM old_rows
    ) both_rows
    WHERE (status = 'FAILED' OR is_manual) AND status <> 'PENDING'
    GROUP BY 1, 2, 3, 4, 5, 6
    HAVING sum(by) <> 0
  ) changes
  CROSS JOIN (SELECT free_tally_shard() AS free OFFSET 0) shard
  ON CONFLICT (account_id, words_hash, type, status, method, is_manual, shard)
    DO UPDATE SET count = line.count + excluded.count;
  -- Words that were changed must not stay. Lines that add up to nothing can go at any time;
  -- those that another transaction has locked are left to the next change.
  WITH lines AS (
    SELECT line.* FROM transaction_words line
    JOIN old_rows r ON r.status <> 'PENDING' AND (r.status = 'FAILED' OR r.is_manual)
      AND r.account_id = line.account_id
      AND sha256(convert_to(words_of(r.message, r.source), 'UTF8')) = line.words_hash
    FOR UPDATE OF line SKIP LOCKED
  ), gone AS (
    SELECT account_id, words_hash, type, status, method, is_manual, array_agg(shard) AS shards
    FROM lines GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(count) = 0
  )
  DELETE FROM transaction_words line USING gone
  WHERE (line.account_id, line.words_hash, line.type, line.status, line.method, line.is_manual)
      = (gone.account_id, gone.words_hash, gone.type, gone.status, gone.method, gone.is_manual)
    AND line.shard = ANY(gone.shards);
  RETURN NULL;
END $$;

CREATE FUNCTION tally_inserted_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO transaction_words AS line
  SELECT NEW.account_id, sha256(convert_to(words, 'UTF8')), NEW.type, NEW.status, NEW.method,
    NEW.is_manual, free_tally_shard(), words, 1
  FROM words_of(NEW.message, NEW.source) AS words
  ON CONFLICT (account_id, words_hash, type, status, method, is_manual, shard)
    DO UPDATE SET count = line.count + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER transaction_words_are_tallied AFTER UPDATE ON transaction
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_words();

CREATE TRIGGER transaction_inserted_words_are_tallied AFTER INSERT ON transaction
  FOR EACH ROW
  WHEN (NEW.status <> 'PENDING' AND (NEW.status = 'FAILED' OR NEW.is_manual))
  EXECUTE FUNCTION tally_inserted_words();
