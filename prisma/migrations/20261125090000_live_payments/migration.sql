-- What live gateways need: why a payment was declined, the merchant's account at the gateway, and
-- when a gateway must be told that a payment method was deleted.

-- AlterTable
ALTER TABLE "account" ADD COLUMN     "gateway_account" TEXT;

-- AlterTable
ALTER TABLE "payment_method" ADD COLUMN     "forget_due_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "decline_code" TEXT,
ADD COLUMN     "gateway_code" TEXT,
ADD COLUMN     "retry_advice" TEXT;

CREATE INDEX payment_method_forget_due ON payment_method (forget_due_at)
  WHERE forget_due_at IS NOT NULL;
