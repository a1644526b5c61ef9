-- A token that a payer's browser had made is good for the page on which it was made, and for one
-- payment there.

-- AlterTable
ALTER TABLE "sandbox_gateway_token" ADD COLUMN     "page" TEXT,
ADD COLUMN     "redeemed_for" TEXT;

-- The tokens of browsers that nothing was ever paid with; retention deletes them.
CREATE INDEX sandbox_gateway_token_unused ON sandbox_gateway_token (created_at)
  WHERE page IS NOT NULL AND redeemed_for IS NULL;
