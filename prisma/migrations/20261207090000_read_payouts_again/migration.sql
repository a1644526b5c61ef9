-- A payout that an earlier version had read before its batch was closed counts for no deposit: it is
-- read once more. News that was written before stays as it is.
-- Old writers: they read from the same instant, and write the same again.
UPDATE gateway_feed SET read_at = coalesce(read_at, read_through),
  read_through = read_through - interval '10 days';
