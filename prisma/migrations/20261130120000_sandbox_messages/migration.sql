-- How many messages a sandbox account has sent within a day. They reach people and cost money, and
-- a clock of the sandbox passes years in a minute.
--
-- Old writers: they count no messages; the limit holds once all processes are new.

ALTER TYPE "parked_reason" ADD VALUE 'sandbox_limit';

CREATE TABLE "sandbox_message_count" (
    "account_id" UUID NOT NULL,
    "channel" "delivery_channel" NOT NULL,
    "count" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_message_count_pkey" PRIMARY KEY ("account_id","channel")
);
