-- Tokens of Checkout.com that share a stored card differ: the card is their second part. Rows of one
-- card are found by it before the card is deleted there.
-- Old writers: an index refuses none of their rows.
CREATE INDEX payment_method_of_stored_card ON payment_method (split_part(gateway_token, ':', 2))
  WHERE gateway_token IS NOT NULL AND (deleted_at IS NULL OR forget_due_at IS NOT NULL);
