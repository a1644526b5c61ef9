-- Each run of a schedule writes an entry to all of its indexes. Whether a customer or a payment
-- method is used by an active schedule is found by schedule_of_customer and
-- schedule_of_payment_method as well. Processes of the version before find it there too.
DROP INDEX "schedule_uses_customer";
DROP INDEX "schedule_uses_payment_method";
