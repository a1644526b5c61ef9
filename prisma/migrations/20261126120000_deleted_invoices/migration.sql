-- Operators list the deleted invoices of all accounts, the newest first. Ids of invoices sort by
-- time.
CREATE INDEX invoice_deleted_by_id ON invoice (account_id, id) WHERE deleted_at IS NOT NULL;
