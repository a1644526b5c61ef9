-- Which of several live gateways a team has chosen.

-- AlterTable
ALTER TABLE "account" ADD COLUMN     "live_gateway" TEXT;

-- Old writers: they leave it null, which passes.
ALTER TABLE account ADD CONSTRAINT account_live_gateway
  CHECK (live_gateway IS NULL OR mode = 'live' AND live_gateway <> '');
