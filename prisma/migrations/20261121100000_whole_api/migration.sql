-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "payment_method" ALTER COLUMN "customer_id" DROP NOT NULL,
ALTER COLUMN "gateway_name" DROP NOT NULL,
ALTER COLUMN "gateway_token" DROP NOT NULL;

-- AlterTable
ALTER TABLE "sandbox_gateway_payment" ADD COLUMN     "parent_key" TEXT;

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "children" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "void_id" UUID,
ALTER COLUMN "gateway_name" DROP NOT NULL;

-- CreateTable
CREATE TABLE "payment_link" (
    "account_id" UUID NOT NULL,
    "id" CHAR(32) NOT NULL,
    "common_name" TEXT NOT NULL,
    "amount" BIGINT,
    "active" BOOLEAN NOT NULL,
    "link_meta" JSONB NOT NULL,
    "meta" JSONB NOT NULL,
    "total_sales" BIGINT NOT NULL DEFAULT 0,
    "total_transactions" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_link_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "payment_link_name" (
    "id" CHAR(32) NOT NULL,
    "account_id" UUID NOT NULL,

    CONSTRAINT "payment_link_name_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_account_id_payment_link_id_fkey" FOREIGN KEY ("account_id", "payment_link_id") REFERENCES "payment_link"("account_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
