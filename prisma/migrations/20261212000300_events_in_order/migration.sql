-- Events in the order of their list, with ties by id: a far page skips entries of the index alone.
-- Without their type, so that no join to one event by its id reads the index of all of them alone.
-- Partial, like the searches, because the schema cannot describe it.
-- Old writers: an index refuses none of their rows.
CREATE INDEX event_by_created_at ON event (account_id, created_at, id)
  WHERE account_id IS NOT NULL;
DROP INDEX event_account_id_created_at_idx;
