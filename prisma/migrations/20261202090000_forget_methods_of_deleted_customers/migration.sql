-- Gateways were not told of payment methods that were deleted with their customer, and still keep
-- them. Both were deleted at one instant; a method that was deleted alone is not told again. A day
-- later no payment with it is under way.
--
-- Old writers: they delete a customer's payment methods as before, and the gateway keeps those.

UPDATE payment_method m SET forget_due_at = m.deleted_at + interval '1 day'
FROM customer c
WHERE c.account_id = m.account_id AND c.id = m.customer_id AND c.deleted_at = m.deleted_at
  AND m.forget_due_at IS NULL AND m.gateway_token IS NOT NULL AND m.gateway_name <> 'sandbox';
