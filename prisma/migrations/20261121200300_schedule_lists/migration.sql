-- How schedules are listed, deleted ones among them. An expression here is one in
-- src/schedules/list-schedules.ts, to the letter.
--
-- One index an order, and then one a filter. Partial, all of them, so that they never look as good
-- as the primary key to whoever wants one row.
CREATE INDEX schedule_by_created_at ON schedule (account_id, created_at, id)
  WHERE account_id IS NOT NULL;
CREATE INDEX schedule_by_updated_at ON schedule (account_id, updated_at, id)
  WHERE account_id IS NOT NULL;
CREATE INDEX schedule_by_count ON schedule (account_id, count, id)
  WHERE account_id IS NOT NULL;
CREATE INDEX schedule_by_status ON schedule (
    account_id, (CASE status WHEN 'active' THEN 1 WHEN 'deleted' THEN 2 ELSE 3 END), id)
  WHERE account_id IS NOT NULL;
-- What has never run, and what will not run again, comes last in either order, and one index can be
-- read only one way for that.
CREATE INDEX schedule_by_last_run_at ON schedule (account_id, last_run_at, id)
  WHERE account_id IS NOT NULL;
CREATE INDEX schedule_by_last_run_at_down
  ON schedule (account_id, last_run_at DESC NULLS LAST, id DESC) WHERE account_id IS NOT NULL;
-- It finds what is due in the account's own time as well.
DROP INDEX schedule_next_run;
CREATE INDEX schedule_by_next_run_at ON schedule (account_id, next_run_at, id)
  WHERE account_id IS NOT NULL;
CREATE INDEX schedule_by_next_run_at_down
  ON schedule (account_id, next_run_at DESC NULLS LAST, id DESC) WHERE account_id IS NOT NULL;

CREATE INDEX schedule_of_status ON schedule (account_id, status, created_at, id)
  WHERE account_id IS NOT NULL;
CREATE INDEX schedule_of_customer ON schedule (account_id, customer_id, created_at, id)
  WHERE account_id IS NOT NULL;
CREATE INDEX schedule_of_payment_method ON schedule (account_id, payment_method_id, created_at, id)
  WHERE payment_method_id IS NOT NULL;
