// Checks once all is quiet: batches, and the transactions in them and outside.

import { type Check, OF_THE_ROW } from './audit-sql.ts'

/** The transactions of a batch `b`, once it is frozen. */
const TAKEN =
  't.account_id = b.account_id AND t.business_date = b.business_date AND t.void_id IS NULL'

/** The batch of a transaction `t`. One that is still closing is a violation of another check. */
const ITS_BATCH = `LEFT JOIN batch b ON ${TAKEN} AND b.status = 'closed'`

/** The sales among transactions `t`. */
const SALES = `coalesce(sum(t.total) FILTER (WHERE t.type IN ('charge', 'capture')), 0)`
const REFUNDS = `coalesce(sum(t.total) FILTER (WHERE t.type = 'refund'), 0)`

export const CHECKS_OF_BATCHES: readonly Check[] = [
  {
    name: 'a batch adds up',
    sql: `
      SELECT format('%s of %s: %s transactions, sales of %s cents, refunds of %s; it says %s, %s, %s',
        b.id, b.business_date, count(t.id), ${SALES}, ${REFUNDS}, b.count, b.sales, b.refunds)
        AS says
      FROM batch b LEFT JOIN transaction t ON ${TAKEN}
      WHERE b.status = 'closed'
      GROUP BY b.account_id, b.id
      HAVING count(t.id) = 0 OR b.count <> count(t.id) OR b.sales <> ${SALES} OR b.refunds <> ${REFUNDS}`,
  },
  {
    name: 'no closing is left halfway',
    sql: `
      SELECT format('%s of %s is %s', id, business_date, status) AS says
      FROM batch WHERE status = 'closing' OR events_written < count`,
  },
  {
    name: 'a batch takes what succeeded and stands',
    sql: `
      SELECT format('%s is a %s, %s; by hand: %s; voided: %s', id, type, status, is_manual,
        is_voided) AS says
      FROM transaction
      WHERE business_date IS NOT NULL AND (status <> 'SUCCESS' OR is_manual
        OR type NOT IN ('charge', 'capture', 'refund') OR (void_id IS NULL AND is_voided))`,
  },
  {
    name: 'a batch leaves nothing behind',
    sql: `
      SELECT format('%s of %s has no batch', t.id, coalesce(t.business_date::text, 'no day'))
        AS says
      FROM transaction t LEFT JOIN batch b ON ${TAKEN}
      WHERE t.status = 'SUCCESS' AND t.type IN ('charge', 'capture', 'refund') AND NOT t.is_manual
        AND t.void_id IS NULL AND b.id IS NULL`,
  },
]

/** Checks of batches that the service itself has closed, unlike some tests. */
export const CHECKS_OF_CLOSINGS: readonly Check[] = [
  {
    name: 'each transaction of a batch has one event of it',
    sql: `
      SELECT format('%s is in batch %s, events name %s', t.id, coalesce(b.id::text, 'none'),
        coalesce(string_agg(e.snapshot->>'batch_id', ', '), 'none')) AS says
      FROM transaction t ${ITS_BATCH}
      LEFT JOIN event e ON ${OF_THE_ROW} AND e.type = 'update_transaction_settled'
      GROUP BY t.account_id, t.id, b.account_id, b.id
      HAVING count(e.id) <> (b.id IS NOT NULL)::integer
        OR min(e.snapshot->>'batch_id') IS DISTINCT FROM b.id::text`,
  },
  {
    name: 'a batch has one event, and one of its deposit',
    sql: `
      SELECT format('%s at version %s: %s', b.id, b.version,
        coalesce(string_agg(e.type, ', ' ORDER BY e.sequence), 'nothing')) AS says
      FROM batch b
      LEFT JOIN event e ON e.account_id = b.account_id AND e.resource_id = b.id::text
      WHERE b.status = 'closed'
      GROUP BY b.account_id, b.id
      HAVING b.version <> 1 + (b.deposited_at IS NOT NULL)::integer OR count(e.id) <> b.version
        OR bool_or(e.type <> CASE e.sequence WHEN 1 THEN 'create_batch' WHEN 2 THEN 'create_deposit'
          ELSE 'nothing' END)`,
  },
]
