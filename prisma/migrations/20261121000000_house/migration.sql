-- CreateEnum
CREATE TYPE "team_status" AS ENUM ('active', 'inactive');

-- CreateEnum
CREATE TYPE "account_mode" AS ENUM ('sandbox', 'live');

-- CreateEnum
CREATE TYPE "method" AS ENUM ('card', 'bank', 'cash', 'check');

-- CreateEnum
CREATE TYPE "transaction_type" AS ENUM ('charge', 'pre_auth', 'capture', 'void', 'refund', 'credit');

-- CreateEnum
CREATE TYPE "transaction_status" AS ENUM ('PENDING', 'SUCCESS', 'FAILED');

-- CreateTable
CREATE TABLE "team" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" "team_status" NOT NULL DEFAULT 'active',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "sms_enabled" BOOLEAN NOT NULL DEFAULT false,
    "split_funding_enabled" BOOLEAN NOT NULL DEFAULT false,
    "settlement_tokenization_enabled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "team_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "mode" "account_mode" NOT NULL,
    "rate_limit_per_minute" INTEGER NOT NULL,
    "clock_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "key_hash" (
    "hash" BYTEA NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,

    CONSTRAINT "key_hash_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "customer" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "firstname" TEXT,
    "lastname" TEXT,
    "company" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "cc_emails" TEXT[],
    "cc_sms" TEXT[],
    "address_1" TEXT,
    "address_2" TEXT,
    "address_city" TEXT,
    "address_state" TEXT,
    "address_zip" TEXT,
    "address_country" TEXT,
    "notes" TEXT,
    "reference" TEXT,
    "meta" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "customer_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "payment_method" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "method" "method" NOT NULL,
    "gateway_name" TEXT NOT NULL,
    "gateway_token" TEXT NOT NULL,
    "person_name" TEXT NOT NULL,
    "nickname" TEXT,
    "last_four" TEXT,
    "card_type" TEXT,
    "card_exp" TEXT,
    "bank_name" TEXT,
    "bank_type" TEXT,
    "bank_holder_type" TEXT,
    "address_1" TEXT,
    "address_2" TEXT,
    "address_city" TEXT,
    "address_state" TEXT,
    "address_zip" TEXT,
    "address_country" TEXT,
    "is_default" BOOLEAN NOT NULL,
    "meta" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_method_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "transaction" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" "transaction_type" NOT NULL,
    "method" "method" NOT NULL,
    "status" "transaction_status" NOT NULL,
    "message" TEXT,
    "currency" CHAR(3) NOT NULL,
    "total" BIGINT NOT NULL,
    "captured" BIGINT NOT NULL DEFAULT 0,
    "refunded" BIGINT NOT NULL DEFAULT 0,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "is_voided" BOOLEAN NOT NULL DEFAULT false,
    "is_manual" BOOLEAN NOT NULL DEFAULT false,
    "source" TEXT,
    "channel" TEXT,
    "customer_id" UUID NOT NULL,
    "payment_method_id" UUID NOT NULL,
    "invoice_id" UUID,
    "schedule_id" UUID,
    "payment_link_id" CHAR(32),
    "reference_id" UUID,
    "batch_id" UUID,
    "batched_at" TIMESTAMPTZ(3),
    "idempotency_id" TEXT,
    "gateway_name" TEXT NOT NULL,
    "auth_id" TEXT,
    "last_four" TEXT,
    "funding" JSONB,
    "meta" JSONB NOT NULL,
    "receipt_email_at" TIMESTAMPTZ(3),
    "receipt_sms_at" TIMESTAMPTZ(3),
    "request_id" TEXT NOT NULL,
    "owed" TEXT,
    "due_at" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3),
    "parked_at" TIMESTAMPTZ(3),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "outcome_sequence" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transaction_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "event" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "snapshot" JSON NOT NULL,
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "idempotency" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "request" JSON NOT NULL,
    "resource_id" TEXT NOT NULL,
    "answer_status" SMALLINT,
    "answer" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateTable
CREATE TABLE "sandbox_gateway_token" (
    "account_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "approves" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_gateway_token_pkey" PRIMARY KEY ("account_id","token")
);

-- CreateTable
CREATE TABLE "sandbox_gateway_payment" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "gateway_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "outcome" TEXT NOT NULL,
    "look_ups" INTEGER NOT NULL DEFAULT 0,
    "silent_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_gateway_payment_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_team_id_mode_key" ON "account"("team_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "key_hash_account_id_key_id_key" ON "key_hash"("account_id", "key_id");

-- CreateIndex
CREATE INDEX "transaction_account_id_created_at_idx" ON "transaction"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "event_account_id_created_at_idx" ON "event"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "event_account_id_resource_id_sequence_key" ON "event"("account_id", "resource_id", "sequence");

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "key_hash" ADD CONSTRAINT "key_hash_account_id_key_id_fkey" FOREIGN KEY ("account_id", "key_id") REFERENCES "api_key"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_method" ADD CONSTRAINT "payment_method_account_id_customer_id_fkey" FOREIGN KEY ("account_id", "customer_id") REFERENCES "customer"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_account_id_customer_id_fkey" FOREIGN KEY ("account_id", "customer_id") REFERENCES "customer"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_account_id_payment_method_id_fkey" FOREIGN KEY ("account_id", "payment_method_id") REFERENCES "payment_method"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_account_id_reference_id_fkey" FOREIGN KEY ("account_id", "reference_id") REFERENCES "transaction"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
