-- CreateEnum
CREATE TYPE "batch_status" AS ENUM ('open', 'closing', 'closed');

-- CreateEnum
CREATE TYPE "schedule_status" AS ENUM ('active', 'paused', 'deleted');

-- CreateEnum
CREATE TYPE "missed_runs" AS ENUM ('all', 'one', 'skip');

-- CreateEnum
CREATE TYPE "invoice_status" AS ENUM ('DRAFT', 'SENT', 'VIEWED', 'PAID', 'PARTIALLY APPLIED', 'ATTEMPTED', 'VOID', 'DELETED');

-- AlterTable
ALTER TABLE "account" ADD COLUMN     "clock_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "clock_ends" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "clock_from" TIMESTAMPTZ(3),
ADD COLUMN     "clock_target" TIMESTAMPTZ(3),
ADD COLUMN     "cutoff" CHAR(5) NOT NULL DEFAULT '20:00',
ADD COLUMN     "retry_days" INTEGER[] DEFAULT ARRAY[1, 3, 7]::INTEGER[],
ADD COLUMN     "timezone" TEXT NOT NULL DEFAULT 'America/New_York';

-- AlterTable
ALTER TABLE "sandbox_gateway_payment" ADD COLUMN     "booked_at" TIMESTAMPTZ(3);
UPDATE "sandbox_gateway_payment" SET "booked_at" = "created_at";
ALTER TABLE "sandbox_gateway_payment" ALTER COLUMN "booked_at" SET NOT NULL;

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "business_date" DATE,
ADD COLUMN     "invoice_try" INTEGER;

-- CreateTable
CREATE TABLE "batch" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "business_date" DATE NOT NULL,
    "cutoff_at" TIMESTAMPTZ(3) NOT NULL,
    "timezone" TEXT NOT NULL,
    "status" "batch_status" NOT NULL DEFAULT 'open',
    "count" INTEGER NOT NULL DEFAULT 0,
    "sales" BIGINT NOT NULL DEFAULT 0,
    "refunds" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3),
    "deposit_at" TIMESTAMPTZ(3),
    "deposited_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "batch_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "schedule" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "payment_method_id" UUID,
    "status" "schedule_status" NOT NULL DEFAULT 'active',
    "total" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "rule" TEXT NOT NULL,
    "anchor" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "missed_runs" "missed_runs" NOT NULL DEFAULT 'all',
    "email_notification" BOOLEAN NOT NULL,
    "sms_notification" BOOLEAN NOT NULL,
    "url" TEXT,
    "channel" TEXT,
    "meta" JSONB NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,
    "run_day" DATE,
    "runs_of_day" INTEGER NOT NULL DEFAULT 0,
    "max_runs" INTEGER,
    "end_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "last_invoice_id" UUID,
    "next_run_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "request_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "schedule_run" (
    "account_id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "occurs_at" TIMESTAMPTZ(3) NOT NULL,
    "invoice_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedule_run_pkey" PRIMARY KEY ("account_id","schedule_id","occurs_at")
);

-- CreateTable
CREATE TABLE "invoice" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "status" "invoice_status" NOT NULL,
    "total" BIGINT NOT NULL,
    "total_paid" BIGINT NOT NULL DEFAULT 0,
    "currency" CHAR(3) NOT NULL,
    "customer_id" UUID NOT NULL,
    "payment_method_id" UUID,
    "schedule_id" UUID,
    "token" CHAR(32) NOT NULL,
    "channel" TEXT,
    "meta" JSONB NOT NULL,
    "pay_by" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "viewed_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "payment_id" UUID,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "retry_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "request_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoice_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "bill_name" (
    "token" CHAR(32) NOT NULL,
    "account_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,

    CONSTRAINT "bill_name_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "sandbox_gateway_batch" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "business_date" DATE NOT NULL,
    "count" INTEGER NOT NULL,
    "sales" BIGINT NOT NULL,
    "refunds" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_gateway_batch_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "batch_account_id_business_date_key" ON "batch"("account_id", "business_date");

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_account_id_batch_id_fkey" FOREIGN KEY ("account_id", "batch_id") REFERENCES "batch"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_account_id_invoice_id_fkey" FOREIGN KEY ("account_id", "invoice_id") REFERENCES "invoice"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_account_id_schedule_id_fkey" FOREIGN KEY ("account_id", "schedule_id") REFERENCES "schedule"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "batch" ADD CONSTRAINT "batch_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_account_id_customer_id_fkey" FOREIGN KEY ("account_id", "customer_id") REFERENCES "customer"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_account_id_payment_method_id_fkey" FOREIGN KEY ("account_id", "payment_method_id") REFERENCES "payment_method"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "schedule_run" ADD CONSTRAINT "schedule_run_account_id_schedule_id_fkey" FOREIGN KEY ("account_id", "schedule_id") REFERENCES "schedule"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "schedule_run" ADD CONSTRAINT "schedule_run_account_id_invoice_id_fkey" FOREIGN KEY ("account_id", "invoice_id") REFERENCES "invoice"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_account_id_customer_id_fkey" FOREIGN KEY ("account_id", "customer_id") REFERENCES "customer"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_account_id_payment_method_id_fkey" FOREIGN KEY ("account_id", "payment_method_id") REFERENCES "payment_method"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_account_id_schedule_id_fkey" FOREIGN KEY ("account_id", "schedule_id") REFERENCES "schedule"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
