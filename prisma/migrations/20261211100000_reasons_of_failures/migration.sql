-- Deliveries that failed for good are counted by their reason. Each lies on a page of its own.
-- Old writers: an index refuses none of their rows.
CREATE INDEX delivery_failed_reasons ON delivery (channel, reason)
  WHERE status = 'parked' AND closed_at IS NULL;
