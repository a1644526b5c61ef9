-- Events in the order of their list, with ties by id and with their type: a far page skips entries of
-- the index alone, and the events of the commonest type, which event_by_type leaves out, are counted
-- in it. Partial, like the searches, because the schema cannot describe it.
-- Old writers: an index refuses none of their rows.
CREATE INDEX event_by_created_at ON event (account_id, created_at, id) INCLUDE (type)
  WHERE account_id IS NOT NULL;
DROP INDEX event_account_id_created_at_idx;
