-- What each process has done, by minute and by hour. Until now the same stood in shorter steps,
-- without the queues, for an hour.

-- Old writers: a process of the version before still writes house_figure. The next version drops it.

-- CreateTable
CREATE UNLOGGED TABLE "process_work" (
    "process_id" UUID NOT NULL,
    "process" TEXT NOT NULL,
    "span" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "requests" INTEGER NOT NULL,
    "approved" INTEGER NOT NULL,
    "declined" INTEGER NOT NULL,
    "durations" INTEGER[],
    "queues" JSONB NOT NULL,

    CONSTRAINT "process_work_pkey" PRIMARY KEY ("process_id","span","at")
);

-- CreateIndex
CREATE INDEX "process_work_span_at_idx" ON "process_work"("span", "at");
