-- Who signed in to the console and what they did there; which processes live, and how much they do.

-- CreateTable
CREATE TABLE "operator_session" (
    "hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "form_token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_session_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "sign_in_link" (
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_link_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "deed" (
    "id" UUID NOT NULL,
    "operator" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "deed" TEXT NOT NULL,
    "subject" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deed_pkey" PRIMARY KEY ("id")
);

-- What processes say of themselves is worth nothing after a crash: it is not logged.
CREATE UNLOGGED TABLE "process_pulse" (
    "id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "queues" TEXT[],
    "is_draining" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "process_pulse_pkey" PRIMARY KEY ("id")
);

CREATE UNLOGGED TABLE "house_figure" (
    "process_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "requests" INTEGER NOT NULL,
    "approved" INTEGER NOT NULL,
    "declined" INTEGER NOT NULL,
    "durations" INTEGER[],

    CONSTRAINT "house_figure_pkey" PRIMARY KEY ("process_id","at")
);

-- CreateIndex
CREATE INDEX "operator_session_expires_at_idx" ON "operator_session"("expires_at");

-- CreateIndex
CREATE INDEX "house_figure_at_idx" ON "house_figure"("at");

-- The audit log, by who did something and by what it was done to.
-- CreateIndex
CREATE INDEX "deed_operator_id_idx" ON "deed"("operator", "id");

-- CreateIndex
CREATE INDEX "deed_subject_id_idx" ON "deed"("subject", "id");
