-- CreateTable
CREATE TABLE "request_window" (
    "subject" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_window_pkey" PRIMARY KEY ("subject")
);

-- CreateIndex
CREATE INDEX "request_window_ends_at_idx" ON "request_window"("ends_at");

-- It is written by every request and worth nothing after a minute: nobody waits for the disk, and a
-- crash of the database empties it.
ALTER TABLE "request_window" SET UNLOGGED;

-- A row is rewritten many times in its minute: room on its page spares the indexes.
ALTER TABLE "request_window" SET (fillfactor = 50);
