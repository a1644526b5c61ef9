-- Rows of one card are found by its gateway's token before the card is detached there.
-- Old writers: an index refuses none of their rows.
CREATE INDEX payment_method_of_gateway_token ON payment_method (gateway_token)
  WHERE gateway_token IS NOT NULL AND (deleted_at IS NULL OR forget_due_at IS NOT NULL);
