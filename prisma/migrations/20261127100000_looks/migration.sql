-- How an account shows itself to payers: its language, colour and contact, and its logo in a table of
-- its own.
--
-- Old writers: they leave these columns out, so an account is in English and has no look.

-- AlterTable
ALTER TABLE "account" ADD COLUMN     "colour" CHAR(7),
ADD COLUMN     "language" TEXT NOT NULL DEFAULT 'en',
ADD COLUMN     "support_email" TEXT,
ADD COLUMN     "support_phone" TEXT,
ADD COLUMN     "website" TEXT;

-- CreateTable
CREATE TABLE "account_logo" (
    "account_id" UUID NOT NULL,
    "hash" CHAR(32) NOT NULL,
    "kind" TEXT NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_logo_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "account_logo_hash_idx" ON "account_logo"("hash");

-- AddForeignKey
ALTER TABLE "account_logo" ADD CONSTRAINT "account_logo_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE account
  ADD CONSTRAINT account_language CHECK (language IN ('en', 'es', 'fr')),
  ADD CONSTRAINT account_colour CHECK (colour ~ '^#[0-9a-f]{6}$');

ALTER TABLE account_logo
  ADD CONSTRAINT account_logo_kind CHECK (kind IN ('png', 'jpeg')),
  ADD CONSTRAINT account_logo_bytes CHECK (length(bytes) BETWEEN 1 AND 65536);
