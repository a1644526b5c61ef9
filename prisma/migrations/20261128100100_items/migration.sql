-- What a merchant sells, for the line items of invoices.
-- Old writers: the version before does not know the table.

-- CreateTable
CREATE TABLE "item" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "item" TEXT NOT NULL,
    "code" TEXT,
    "details" TEXT,
    "price" BIGINT,
    "is_active" BOOLEAN NOT NULL,
    "is_taxable" BOOLEAN NOT NULL,
    "is_service" BOOLEAN NOT NULL,
    "in_stock" INTEGER,
    "meta" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "item_pkey" PRIMARY KEY ("account_id","id")
);

-- AddForeignKey
ALTER TABLE "item" ADD CONSTRAINT "item_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE item
  ADD CONSTRAINT item_price_in_range CHECK (price BETWEEN 1 AND 9999999999),
  ADD CONSTRAINT item_in_stock_in_range CHECK (in_stock >= 0);

-- One index for each order, and then one for each filter; deleted items are in no list. The
-- expressions are those of src/items/list-items.ts, letter for letter.
CREATE INDEX item_by_created_at ON item (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX item_by_updated_at ON item (account_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX item_by_item ON item (account_id, item, id) WHERE deleted_at IS NULL;
CREATE INDEX item_coded ON item (account_id, lower(code), created_at, id)
  WHERE deleted_at IS NULL AND code IS NOT NULL;
CREATE INDEX item_search ON item
  USING gin (account_id, (item || E'\n' || coalesce(code, '')) gin_trgm_ops)
  WHERE deleted_at IS NULL;
