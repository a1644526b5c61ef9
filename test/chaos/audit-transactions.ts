// Checks once all is quiet: accepted requests, our ledger and the gateway's.

import { asChild, type Check, childrenIn, FINAL, OF_THE_GATEWAY } from './audit-sql.ts'

/**
 * The event with the content of the answer: for a capture, a void and a refund, one of the parent.
 */
const OF_THE_ANSWER = `e.account_id = t.account_id AND e.sequence = t.outcome_sequence
  AND e.resource_id = coalesce(t.reference_id, t.id)::text`

const TELLS_THE_OUTCOME = `
  CASE WHEN t.reference_id IS NULL
    THEN t.outcome_sequence BETWEEN 1 AND t.version
      AND e.snapshot->>'status' IS DISTINCT FROM 'PENDING'
    ELSE ${childrenIn('e.snapshot')} @> ${asChild('t')} END`

/** Only an order at the gateway can decide such a transaction. */
const ORDERED = 'NOT t.is_manual'

export const CHECKS_OF_TRANSACTIONS: readonly Check[] = [
  {
    name: 'each accepted transaction is in our ledger',
    sql: `
      SELECT DISTINCT format('%s was answered and is not there', journal.id) AS says
      FROM journal WHERE NOT EXISTS (SELECT FROM transaction t WHERE t.id = journal.id)`,
  },
  {
    name: 'what was accepted is what was ordered',
    sql: `
      SELECT DISTINCT format('%s is %s cents for key %s, ordered were %s cents for key %s',
        t.id, t.total, t.idempotency_id, journal.cents, journal.key) AS says
      FROM journal JOIN transaction t USING (id)
      WHERE t.total <> journal.cents OR t.idempotency_id IS DISTINCT FROM journal.key`,
  },
  {
    name: 'a final answer stays true',
    sql: `
      SELECT DISTINCT format('%s was answered as %s and is %s', t.id, journal.status, t.status) AS says
      FROM journal JOIN transaction t USING (id)
      WHERE journal.status IN ${FINAL} AND journal.status <> t.status::text`,
  },
  {
    name: 'the answer that is kept is the one that was given',
    sql: `
      SELECT DISTINCT format('key %s: another answer is kept', journal.key) AS says
      FROM journal
      JOIN transaction t USING (id)
      JOIN event e ON ${OF_THE_ANSWER}
      WHERE journal.status IN ${FINAL} AND journal.body <> e.snapshot::text`,
  },
  {
    name: 'the answer that is kept is the outcome',
    sql: `
      SELECT format('%s is %s, kept is event %s', t.id, t.status, t.outcome_sequence) AS says
      FROM transaction t LEFT JOIN event e ON ${OF_THE_ANSWER}
      WHERE t.status IN ${FINAL} AND (${TELLS_THE_OUTCOME}) IS NOT TRUE`,
  },
  {
    name: 'a key has one transaction',
    sql: `
      SELECT format('key %s has %s', idempotency_id, count(*)) AS says
      FROM transaction WHERE idempotency_id IS NOT NULL
      GROUP BY account_id, idempotency_id HAVING count(*) > 1`,
  },
  {
    // A key with two transactions is a violation of another check.
    name: 'a key is held by its transaction',
    sql: `
      SELECT format('%s has key %s, which is held by %s', t.id, t.idempotency_id,
        coalesce(k.resource_id, 'none')) AS says
      FROM transaction t
      LEFT JOIN idempotency k ON k.account_id = t.account_id AND k.key = t.idempotency_id
      WHERE t.idempotency_id IS NOT NULL AND k.resource_id IS DISTINCT FROM t.id::text
        AND NOT EXISTS (
          SELECT FROM transaction other
          WHERE other.account_id = t.account_id AND other.idempotency_id = t.idempotency_id
            AND other.id <> t.id)`,
  },
  {
    name: 'no key is taken by nothing',
    sql: `
      SELECT format('key %s names %s', k.key, k.resource_id) AS says
      FROM idempotency k
      WHERE k.operation IN ('charge', 'capture', 'void', 'refund', 'void_or_refund',
          'pay_invoice')
        AND NOT EXISTS (
        SELECT FROM transaction t
        WHERE t.account_id = k.account_id AND t.id::text = k.resource_id)`,
  },
  {
    name: 'nothing is owed',
    sql: `
      SELECT format('%s is %s, owes %s, due %s, parked %s', id, status, coalesce(owed, 'nothing'),
        coalesce(due_at::text, 'never'), coalesce(parked_at::text, 'never')) AS says
      FROM transaction
      WHERE status = 'PENDING' OR owed IS NOT NULL OR due_at IS NOT NULL OR parked_at IS NOT NULL`,
  },
  {
    name: 'the gateway agrees with what succeeded',
    sql: `
      SELECT format('%s is %s there', t.id, coalesce(p.outcome, 'unknown')) AS says
      FROM transaction t LEFT JOIN ledger p ON ${OF_THE_GATEWAY}
      WHERE ${ORDERED} AND t.status = 'SUCCESS' AND p.outcome IS DISTINCT FROM 'approved'`,
  },
  {
    // A charge that the sandbox did not decline may fail only at its deadline, or because its
    // payment link was deleted; and if it may have been ordered, only after the gateway has given
    // it up. Stripe keeps no record of some refusals: a charge that failed there must only have
    // moved no money.
    name: 'the gateway agrees with what failed',
    sql: `
      SELECT format('%s is %s there', t.id, coalesce(p.outcome, 'unknown')) AS says
      FROM transaction t LEFT JOIN ledger p ON ${OF_THE_GATEWAY}
      WHERE ${ORDERED} AND t.status = 'FAILED' AND p.outcome IS DISTINCT FROM 'declined'
        AND (t.gateway_name = 'sandbox' OR p.outcome IS NOT NULL)
        AND NOT ((p.outcome = 'given_up' OR p.outcome IS NULL AND t.attempt = 1)
          AND (t.updated_at >= t.deadline_at OR EXISTS (
            SELECT FROM payment_link l
            WHERE l.account_id = t.account_id AND l.id = t.payment_link_id
              AND l.deleted_at <= t.updated_at)))`,
  },
  {
    name: 'the gateway made what we ordered',
    sql: `
      SELECT format('%s: we have %s of %s cents as %s, the gateway %s of %s cents as %s',
        t.id, t.type, t.total, t.auth_id, p.operation, p.amount, p.gateway_id) AS says
      FROM transaction t JOIN ledger p ON ${OF_THE_GATEWAY}
      WHERE t.total <> p.amount OR t.type::text <> p.operation
        OR (t.status = 'SUCCESS' AND (t.auth_id IS DISTINCT FROM p.gateway_id
          OR t.reference_id::text IS DISTINCT FROM p.parent_key))`,
  },
  {
    name: 'the gateway made nothing else',
    sql: `
      SELECT format('%s is %s there, and nothing of ours', p.key, p.outcome) AS says
      FROM ledger p
      WHERE NOT EXISTS (SELECT FROM transaction t WHERE ${OF_THE_GATEWAY})`,
  },
  {
    name: 'what succeeded is captured',
    sql: `
      SELECT format('%s: %s of %s cents', id, captured, total) AS says
      FROM transaction
      WHERE type IN ('charge', 'capture') AND status = 'SUCCESS' AND captured <> total`,
  },
]
