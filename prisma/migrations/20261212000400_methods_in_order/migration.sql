-- The condition of their list, word for word: a far page skips entries of the index alone. Without
-- the customer, which the built-in cash and check lack, each skipped row was read.
-- Old writers: an index refuses none of their rows.
DROP INDEX payment_method_by_created_at;
CREATE INDEX payment_method_by_created_at ON payment_method (account_id, created_at, id)
  WHERE deleted_at IS NULL AND customer_id IS NOT NULL;
DROP INDEX payment_method_by_updated_at;
CREATE INDEX payment_method_by_updated_at ON payment_method (account_id, updated_at, id)
  WHERE deleted_at IS NULL AND customer_id IS NOT NULL;
