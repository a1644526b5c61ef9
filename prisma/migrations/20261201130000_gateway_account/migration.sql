-- The account of each live gateway to which payments were sent.
--
-- Old writers: they do not read it, and would send payments to another account.

CREATE TABLE "gateway_account" (
    "gateway" TEXT NOT NULL,
    "account" TEXT NOT NULL,

    CONSTRAINT "gateway_account_pkey" PRIMARY KEY ("gateway")
);
