-- Merchants look for a payment or an invoice by the number of their order. It stands in `meta`, as `reference` or
-- `poNumber`; the expressions are exactly those of src/db/terms.ts. A keyword has at most 255 characters, and a text of
-- 16 KiB would not fit into an index.
-- Old writers: an index refuses none of their rows, because the texts in it are cut.
CREATE INDEX IF NOT EXISTS transaction_of_reference ON transaction (account_id, left(lower(meta->>'reference'), 255))
  WHERE status <> 'PENDING' AND meta->>'reference' IS NOT NULL;
CREATE INDEX IF NOT EXISTS transaction_of_po_number ON transaction (account_id, left(lower(meta->>'poNumber'), 255))
  WHERE status <> 'PENDING' AND meta->>'poNumber' IS NOT NULL;
CREATE INDEX IF NOT EXISTS invoice_of_reference ON invoice (account_id, left(lower(meta->>'reference'), 255))
  WHERE meta->>'reference' IS NOT NULL;
CREATE INDEX IF NOT EXISTS invoice_of_po_number ON invoice (account_id, left(lower(meta->>'poNumber'), 255))
  WHERE meta->>'poNumber' IS NOT NULL;
