-- Which keys secrets are sealed with: a process that lacks one of them does not start, rather than
-- make another or fail to sign later. Never a key itself.

-- CreateTable
CREATE TABLE "secrets_key" (
    "id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secrets_key_pkey" PRIMARY KEY ("id")
);

-- A secret is sealed, or in clear where the version before wrote it, which may still be at work.
ALTER TABLE webhook
  DROP CONSTRAINT webhook_secrets,
  ADD CONSTRAINT webhook_secrets CHECK (
    (secret LIKE 'whsec_%' OR secret LIKE 'sealed:v1:%')
    AND (previous_secret LIKE 'whsec_%' OR previous_secret LIKE 'sealed:v1:%'
      OR previous_secret IS NULL)
    AND (previous_secret IS NULL) = (previous_secret_until IS NULL));
