-- How invoices are listed, and that a deleted one stays deleted.

-- One index an order, of what is in lists, and then one a filter. Partial, so that these
-- never look as good as the primary key to whoever wants one row.
CREATE INDEX invoice_by_created_at ON invoice (account_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX invoice_by_updated_at ON invoice (account_id, updated_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX invoice_by_total ON invoice (account_id, total, id)
  WHERE deleted_at IS NULL;
CREATE INDEX invoice_by_status ON invoice (account_id, status, id)
  WHERE deleted_at IS NULL;
-- Those without an instant come last in either order, and one index can be read only one way for
-- that.
CREATE INDEX invoice_by_due_at ON invoice (account_id, pay_by, id)
  WHERE deleted_at IS NULL;
CREATE INDEX invoice_by_due_at_down ON invoice (account_id, pay_by DESC NULLS LAST, id DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX invoice_by_paid_at ON invoice (account_id, paid_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX invoice_by_paid_at_down ON invoice (account_id, paid_at DESC NULLS LAST, id DESC)
  WHERE deleted_at IS NULL;

CREATE INDEX invoice_of_status ON invoice (account_id, status, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX invoice_of_customer ON invoice (account_id, customer_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX invoice_of_schedule ON invoice (account_id, schedule_id, created_at, id)
  WHERE deleted_at IS NULL AND schedule_id IS NOT NULL;
CREATE INDEX invoice_deleted ON invoice (account_id, created_at, id)
  WHERE deleted_at IS NOT NULL;

CREATE FUNCTION refuse_undeletion_of_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'invoice % stays deleted', OLD.id
    USING ERRCODE = '23514', CONSTRAINT = 'invoice_stays_deleted';
END $$;

CREATE TRIGGER invoice_stays_deleted BEFORE UPDATE OF deleted_at ON invoice
  FOR EACH ROW WHEN (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at)
  EXECUTE FUNCTION refuse_undeletion_of_invoice();
