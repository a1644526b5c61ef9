// Checks once all is quiet: captures, voids and refunds, their parents, and the payment links.

import { asChild, type Check, childrenIn, FINAL, OF_THE_PARENT, OF_THE_ROW } from './audit-sql.ts'

/** The amount that the children of one kind took from a transaction `t`. */
function takenBy(type: 'refund' | 'capture'): string {
  return `(SELECT coalesce(sum(c.total), 0) FROM transaction c
    WHERE ${OF_THE_PARENT} AND c.type = '${type}' AND c.status = 'SUCCESS')`
}

export const CHECKS_OF_FOLLOW_UPS: readonly Check[] = [
  {
    name: 'refunds add up',
    sql: `
      SELECT format('%s: %s cents are refunded, by refunds %s', t.id, t.refunded,
        ${takenBy('refund')}) AS says
      FROM transaction t WHERE t.refunded <> ${takenBy('refund')}`,
  },
  {
    name: 'captures add up',
    sql: `
      SELECT format('%s: %s cents are captured, by captures %s', t.id, t.captured,
        ${takenBy('capture')}) AS says
      FROM transaction t WHERE t.type = 'pre_auth' AND t.captured <> ${takenBy('capture')}`,
  },
  {
    name: 'nothing is reserved',
    sql: `
      SELECT format('%s: %s cents', id, reserved) AS says FROM transaction WHERE reserved <> 0`,
  },
  {
    name: 'children are counted',
    sql: `
      SELECT format('%s has %s, counted are %s', t.id, count(c.id), t.children) AS says
      FROM transaction t LEFT JOIN transaction c ON ${OF_THE_PARENT}
      GROUP BY t.account_id, t.id HAVING t.children <> count(c.id)`,
  },
  {
    name: 'what is voided has one void that succeeded',
    sql: `
      SELECT format('%s: voided %s, by %s; done are %s', t.id, t.is_voided,
        coalesce(t.void_id::text, 'none'), count(c.id)) AS says
      FROM transaction t
      LEFT JOIN transaction c ON ${OF_THE_PARENT} AND c.type = 'void' AND c.status = 'SUCCESS'
      GROUP BY t.account_id, t.id
      HAVING count(c.id) <> t.is_voided::integer OR t.is_voided <> (t.void_id IS NOT NULL)
        OR min(c.id::text) IS DISTINCT FROM t.void_id::text`,
  },
  {
    name: 'nothing is refunded before its batch',
    sql: `
      SELECT format('%s: %s cents', t.id, t.refunded) AS says
      FROM transaction t
      LEFT JOIN batch b ON b.account_id = t.account_id AND b.business_date = t.business_date
      WHERE t.refunded > 0 AND b.closed_at IS NULL`,
  },
  {
    name: 'the gateway gave back, and captured, no more than was there',
    sql: `
      SELECT format('%s of %s cents: %s taken, voided %s times', p.key, p.amount,
        coalesce(sum(c.amount) FILTER (WHERE c.operation <> 'void'), 0),
        count(*) FILTER (WHERE c.operation = 'void')) AS says
      FROM ledger p
      JOIN ledger c ON c.account_id = p.account_id AND c.parent_key = p.key
        AND c.outcome = 'approved'
      GROUP BY p.account_id, p.key, p.amount
      HAVING sum(c.amount) > p.amount OR bool_or(c.operation = 'void') AND count(*) > 1`,
  },
  {
    name: 'the last event of a parent shows its children',
    sql: `
      SELECT format('%s: %s is %s', t.id, c.id, c.status) AS says
      FROM transaction t
      JOIN transaction c ON ${OF_THE_PARENT}
      LEFT JOIN event e ON ${OF_THE_ROW} AND e.sequence = t.version
      WHERE (${childrenIn('e.snapshot')} @> ${asChild('c')}) IS NOT TRUE`,
  },
  {
    name: 'an event of a parent has one outcome',
    sql: `
      SELECT format('event %s of %s has %s outcomes', outcome_sequence, reference_id, count(*)) AS says
      FROM transaction WHERE reference_id IS NOT NULL AND status IN ${FINAL}
      GROUP BY account_id, reference_id, outcome_sequence HAVING count(*) > 1`,
  },
  {
    name: 'links count what was paid through them',
    sql: `
      SELECT format('%s: %s cents in %s, counted are %s in %s', l.id, coalesce(sum(t.captured), 0),
        count(t.id), l.total_sales, l.total_transactions) AS says
      FROM payment_link l
      LEFT JOIN transaction t ON t.account_id = l.account_id AND t.payment_link_id = l.id
        AND t.type IN ('charge', 'capture') AND t.status = 'SUCCESS'
      GROUP BY l.account_id, l.id
      HAVING l.total_sales <> coalesce(sum(t.captured), 0) OR l.total_transactions <> count(t.id)`,
  },
]
