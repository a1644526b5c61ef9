-- Invoices are listed by their payment method. Few of them name one.
CREATE INDEX invoice_of_payment_method ON invoice (account_id, payment_method_id, created_at, id)
  WHERE deleted_at IS NULL AND payment_method_id IS NOT NULL;
