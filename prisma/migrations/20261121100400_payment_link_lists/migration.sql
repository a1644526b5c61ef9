-- How payment links are listed, and that a deleted one stays deleted.

-- One index an order, of what is in lists, and then one a filter. Partial, so that these
-- never look as good as the primary key to whoever wants one row.
CREATE INDEX payment_link_by_created_at ON payment_link (account_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX payment_link_by_common_name ON payment_link (account_id, common_name, id)
  WHERE deleted_at IS NULL;
CREATE INDEX payment_link_by_total_sales ON payment_link (account_id, total_sales, id)
  WHERE deleted_at IS NULL;
CREATE INDEX payment_link_by_total_transactions ON payment_link (account_id, total_transactions, id)
  WHERE deleted_at IS NULL;
-- Links without an amount come last in either order, and one index can be read only one way for
-- that.
CREATE INDEX payment_link_by_amount ON payment_link (account_id, amount, id)
  WHERE deleted_at IS NULL;
CREATE INDEX payment_link_by_amount_down
  ON payment_link (account_id, amount DESC NULLS LAST, id DESC)
  WHERE deleted_at IS NULL;

CREATE INDEX payment_link_named ON payment_link (account_id, lower(common_name))
  WHERE deleted_at IS NULL;
-- The expression is that of src/links/list-links.ts, to the letter.
CREATE INDEX payment_link_search ON payment_link
  USING gin (account_id, (common_name || E'\n' || coalesce(link_meta->>'memo', '')) gin_trgm_ops)
  WHERE deleted_at IS NULL;

CREATE FUNCTION refuse_undeletion_of_payment_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payment link % stays deleted', OLD.id
    USING ERRCODE = '23514', CONSTRAINT = 'payment_link_stays_deleted';
END $$;

CREATE TRIGGER payment_link_stays_deleted BEFORE UPDATE OF deleted_at ON payment_link
  FOR EACH ROW WHEN (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at)
  EXECUTE FUNCTION refuse_undeletion_of_payment_link();
