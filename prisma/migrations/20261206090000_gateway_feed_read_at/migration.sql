-- When all news of a gateway's place could be read, whether or not all of it could be written yet.
-- Old writers: leave it null, and whoever asks looks at read_through as well.
ALTER TABLE gateway_feed ADD COLUMN read_at timestamptz(3);
