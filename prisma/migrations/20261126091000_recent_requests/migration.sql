-- The requests of the last day, for operators.

-- CreateTable
CREATE UNLOGGED TABLE "recent_request" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "request_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "error" TEXT,
    "ms" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "recent_request_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "recent_request_account_id_request_id_idx" ON "recent_request"("account_id", "request_id");
