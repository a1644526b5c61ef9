-- Whether an account has payment methods at a gateway, which reconciliation asks of each account.
-- Old writers: an index refuses none of their rows.
CREATE INDEX "payment_method_account_id_gateway_name_idx" ON "payment_method"("account_id", "gateway_name");
