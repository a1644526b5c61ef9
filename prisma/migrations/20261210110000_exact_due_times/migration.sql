-- Whether a due time was sent with its offset. A date alone is stored as its first instant in UTC,
-- which is also a time: 8 pm Eastern on the day before.
--
-- Old writers: they leave it null. Then midnight in UTC is read as a date, as before.

ALTER TABLE "invoice" ADD COLUMN "is_pay_by_exact" BOOLEAN;
