// Checks once all is quiet: events and their deliveries.

import { type Check, FINAL, OF_THE_ROW } from './audit-sql.ts'

export const CHECKS_OF_EVENTS: readonly Check[] = [
  {
    // The even numbers belong to the event that says that the transaction is settled.
    name: 'events are numbered by the odd numbers, without a gap',
    sql: `
      SELECT format('%s at version %s has %s events from %s to %s', t.id, t.version,
        count(e.sequence), min(e.sequence), max(e.sequence)) AS says
      FROM transaction t
      LEFT JOIN event e ON ${OF_THE_ROW} AND e.type <> 'update_transaction_settled'
      WHERE t.status IN ${FINAL}
      GROUP BY t.account_id, t.id
      HAVING t.version < 1 OR t.version % 2 = 0 OR count(e.sequence) <> (t.version + 1) / 2
        OR bool_or(e.sequence % 2 = 0) OR min(e.sequence) <> 1 OR max(e.sequence) <> t.version`,
  },
  {
    name: 'the settled event has a number between two changes',
    sql: `
      SELECT format('%s at version %s: settled event %s', t.id, t.version, e.sequence) AS says
      FROM transaction t JOIN event e ON ${OF_THE_ROW}
      WHERE e.type = 'update_transaction_settled'
        AND (e.sequence % 2 <> 0 OR e.sequence NOT BETWEEN 2 AND t.version + 1)`,
  },
  {
    name: 'no event after the settled one shows the transaction unsettled',
    sql: `
      SELECT format('%s: event %s shows batch %s', t.id, e.sequence,
        coalesce(e.snapshot->>'batch_id', 'none')) AS says
      FROM transaction t
      JOIN event e ON ${OF_THE_ROW}
      JOIN event s ON s.account_id = e.account_id AND s.resource_id = e.resource_id
        AND s.type = 'update_transaction_settled' AND s.sequence < e.sequence
      WHERE e.snapshot->>'batch_id' IS DISTINCT FROM s.snapshot->>'batch_id'`,
  },
  {
    name: 'the first event is the creation, the others are changes',
    sql: `
      SELECT format('%s: event %s is %s', t.id, e.sequence, e.type) AS says
      FROM transaction t JOIN event e ON ${OF_THE_ROW}
      WHERE e.type NOT IN ('create_transaction', 'update_transaction', 'update_transaction_settled')
        OR (e.type = 'create_transaction') <> (e.sequence = 1)`,
  },
  {
    name: 'the events of a row lead to its state',
    sql: `
      SELECT format('%s is %s, its events say %s', t.id, t.status,
        string_agg(e.snapshot->>'status', ', ' ORDER BY e.sequence)) AS says
      FROM transaction t JOIN event e ON ${OF_THE_ROW}
      WHERE t.status IN ${FINAL}
      GROUP BY t.account_id, t.id
      HAVING bool_or(e.snapshot->>'id' <> t.id::text)
        OR bool_or(e.snapshot->>'status' NOT IN ('PENDING', t.status::text))
        OR count(*) FILTER (WHERE e.snapshot->>'status' = t.status::text) = 0
        OR max(e.sequence) FILTER (WHERE e.snapshot->>'status' = 'PENDING')
          > min(e.sequence) FILTER (WHERE e.snapshot->>'status' <> 'PENDING')`,
  },
  {
    name: 'a caller that was answered PENDING finds the event of it',
    sql: `
      SELECT DISTINCT format('%s has none', t.id) AS says
      FROM journal JOIN transaction t USING (id)
      WHERE journal.status = 'PENDING' AND NOT EXISTS (
        SELECT FROM event e WHERE ${OF_THE_ROW} AND e.snapshot->>'status' = 'PENDING')`,
  },
  {
    name: 'every event is of an existing row',
    sql: `
      SELECT format('%s of %s', e.type, e.resource_id) AS says
      FROM event e
      WHERE (e.type ~ '_transaction(_settled)?$'
          AND NOT EXISTS (SELECT FROM transaction t WHERE ${OF_THE_ROW}))
        OR (e.type ~ '_(batch|deposit)$' AND NOT EXISTS (
          SELECT FROM batch b WHERE b.account_id = e.account_id AND b.id::text = e.resource_id))
        OR (e.type ~ '_invoice$' AND NOT EXISTS (
          SELECT FROM invoice v WHERE v.account_id = e.account_id AND v.id::text = e.resource_id)
          AND NOT EXISTS (
          SELECT FROM schedule s WHERE s.account_id = e.account_id AND s.id::text = e.resource_id))`,
  },
]
