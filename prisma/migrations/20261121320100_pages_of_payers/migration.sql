-- What the pages of payers need: where a receipt goes, and what a token from a browser stands for.

-- AlterTable
ALTER TABLE "sandbox_gateway_token" ADD COLUMN     "card_exp" TEXT,
ADD COLUMN     "card_type" TEXT,
ADD COLUMN     "last_four" TEXT,
ADD COLUMN     "method" "method";

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "receipt_to" TEXT;
