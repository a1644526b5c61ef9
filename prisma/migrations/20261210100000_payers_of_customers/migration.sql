-- The owner of a customer's methods at their gateway is found by any of them, deleted ones too:
-- payment_method_of_customer, which leaves those out, stays for lists.
-- Old writers: an index refuses none of their rows.
CREATE INDEX payment_method_by_customer ON payment_method (account_id, customer_id, id);

-- What prevents the deletion of a customer or a method, however many invoices they have paid.
-- Old writers: an index refuses none of their rows.
CREATE INDEX invoice_collected ON invoice (account_id, customer_id, payment_method_id)
  WHERE deleted_at IS NULL AND status <> 'PAID'
    AND (retry_at IS NOT NULL OR payment_id IS NOT NULL);
