-- CreateEnum
CREATE TYPE "delivery_channel" AS ENUM ('email', 'sms', 'webhook');

-- CreateEnum
CREATE TYPE "delivery_subject" AS ENUM ('transaction', 'invoice', 'webhook', 'event');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'sent', 'delivered', 'parked');

-- CreateEnum
CREATE TYPE "parked_reason" AS ENUM ('refused', 'opted_out', 'out_of_tries', 'expired', 'undelivered', 'no_target');

-- CreateEnum
CREATE TYPE "webhook_status" AS ENUM ('active', 'disabled');

-- AlterTable
ALTER TABLE "account" ADD COLUMN     "auto_receipts" "delivery_channel"[] DEFAULT ARRAY[]::"delivery_channel"[];

-- AlterTable
ALTER TABLE "team" ADD COLUMN     "email" TEXT;

-- CreateTable
CREATE TABLE "delivery" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "channel" "delivery_channel" NOT NULL,
    "lane" UUID NOT NULL,
    "subject" "delivery_subject" NOT NULL,
    "subject_id" UUID NOT NULL,
    "recipient" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "leased_until" TIMESTAMPTZ(3),
    "owed_at" TIMESTAMPTZ(3) NOT NULL,
    "provider_id" TEXT,
    "last_error" TEXT,
    "reason" "parked_reason",
    "history" JSONB NOT NULL DEFAULT '[]',
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "provider_pace" (
    "channel" "delivery_channel" NOT NULL,
    "next_ms" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "put_off_ms" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "resting_until_ms" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "provider_pace_pkey" PRIMARY KEY ("channel")
);

-- CreateTable
CREATE TABLE "sms_opt_out" (
    "phone" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sms_opt_out_pkey" PRIMARY KEY ("phone")
);

-- CreateTable
CREATE TABLE "outbox_message" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "channel" "delivery_channel" NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT,
    "text" TEXT NOT NULL,
    "html" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbox_message_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhook" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "target_url" TEXT NOT NULL,
    "events" TEXT[],
    "status" "webhook_status" NOT NULL DEFAULT 'active',
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "replay_id" UUID,
    "replay_after" TIMESTAMPTZ(3),
    "replay_after_id" UUID,
    "replay_until" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "delivery_account_id_subject_id_channel_recipient_request_key" ON "delivery"("account_id", "subject_id", "channel", "recipient", "request");
