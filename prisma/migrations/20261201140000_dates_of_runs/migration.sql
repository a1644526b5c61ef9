-- The date to which a run belongs, by the zone in which it ran. The zone of its schedule may change.
--
-- Old writers: they leave it null. Then the date is that in the schedule's present zone, as before.

ALTER TABLE "schedule_run" ADD COLUMN "ran_on" DATE;
