-- When a payment was last ordered, and orders that the sandbox gateway has given up for good.

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "ordered_at" TIMESTAMPTZ(3);

ALTER TABLE sandbox_gateway_payment
  DROP CONSTRAINT sandbox_gateway_payment_outcome,
  ADD CONSTRAINT sandbox_gateway_payment_outcome
    CHECK (outcome IN ('approved', 'declined', 'slow', 'lost', 'given_up'));
