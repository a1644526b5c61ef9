-- Operators list the payment links of all accounts by their state, the newest first. Ids of links are
-- random, so each state has an index by time. Those that are neither deleted nor inactive are most of
-- payment_link_by_created_at.
CREATE INDEX payment_link_inactive ON payment_link (account_id, created_at, id)
  WHERE deleted_at IS NULL AND NOT active;
CREATE INDEX payment_link_deleted ON payment_link (account_id, created_at, id)
  WHERE deleted_at IS NOT NULL;
