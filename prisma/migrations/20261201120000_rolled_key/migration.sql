-- The key that has replaced another. A key that was rolled has the end of its overlap, not that of
-- its life, so a second successor would end with it.
--
-- Old writers: they roll a key without naming its successor, and may roll it twice.

ALTER TABLE "api_key" ADD COLUMN "rolled_to" UUID;
