// One fault in captures, voids and refunds, or in their parents, and the check that must report it.

import { randomUUID } from 'node:crypto'
import { outOfBatch } from './broken-batches.ts'
import type { AuditCase } from './broken-transactions.ts'

export const CASES_OF_FOLLOW_UPS: readonly AuditCase[] = [
  {
    check: 'refunds add up',
    what: 'a cent is said to be there that was given back',
    doctor: ({ refund }) => parentOf(refund.id, 'refunded = refunded - 1'),
  },
  {
    check: 'captures add up',
    what: 'a cent more is said to be captured',
    doctor: ({ capture }) => parentOf(capture.id, 'captured = captured + 1'),
  },
  {
    check: 'nothing is reserved',
    what: 'a cent was never freed',
    doctor: ({ refund }) => parentOf(refund.id, 'reserved = 1'),
  },
  {
    check: 'children are counted',
    what: 'one is forgotten',
    doctor: ({ refund }) => parentOf(refund.id, 'children = children - 1'),
  },
  {
    check: 'what is voided has one void that succeeded',
    what: 'no void exists',
    doctor: ({ approved }) => `
      UPDATE transaction SET is_voided = true, void_id = '${randomUUID()}'
      WHERE id = '${approved.id}'`,
  },
  {
    check: 'what is voided has one void that succeeded',
    what: 'a void keeps it that came to nothing',
    doctor: ({ approved }) =>
      `UPDATE transaction SET void_id = '${randomUUID()}' WHERE id = '${approved.id}'`,
  },
  {
    check: 'what is voided has one void that succeeded',
    what: 'the voided transaction has no event of the void',
    doctor: (transactions) => parentOf(transactions.void.id, 'is_voided = false, void_id = NULL'),
  },
  {
    check: 'nothing is refunded before its batch',
    what: 'no batch took it',
    doctor: ({ refund }) => outOfBatch(parent(refund.id)),
  },
  {
    check: 'the gateway gave back, and captured, no more than was there',
    what: 'a capture took more than was authorised, in our ledger and at the gateway',
    doctor: ({ capture }) => `
      ALTER TABLE transaction DROP CONSTRAINT transaction_sums_hold;
      ${parentOf(capture.id, 'total = captured - 1')};
      UPDATE sandbox_gateway_payment p SET amount = t.total
      FROM transaction t WHERE t.id::text = p.key AND t.type = 'pre_auth'`,
  },
  {
    check: 'the last event of a parent shows its children',
    what: 'the last one has forgotten the first child',
    journal: ({ approved }) => [approved],
    doctor: ({ refund, lastRefund }) => `
      UPDATE event e SET snapshot = jsonb_set(snapshot::jsonb, '{child_transactions}',
        jsonb_build_array((snapshot::jsonb)->'child_transactions'->1))
      FROM transaction t
      WHERE t.id = '${lastRefund.id}' AND e.resource_id = t.reference_id::text
        AND e.sequence = t.outcome_sequence AND t.created_at >= (
          SELECT created_at FROM transaction WHERE id = '${refund.id}')`,
  },
  {
    check: 'an event of a parent has one outcome',
    what: 'two refunds have one event',
    journal: ({ approved }) => [approved],
    doctor: ({ refund, lastRefund }) => `
      UPDATE transaction SET outcome_sequence = (
        SELECT outcome_sequence FROM transaction WHERE id = '${lastRefund.id}')
      WHERE id = '${refund.id}'`,
  },
  {
    check: 'links count what was paid through them',
    what: 'a cent too many',
    doctor: () => 'UPDATE payment_link SET total_sales = total_sales + 1',
  },
  {
    check: 'links count what was paid through them',
    what: 'a payment is not counted',
    doctor: () => 'UPDATE payment_link SET total_transactions = total_transactions - 1',
  },
]

function parentOf(childId: string, change: string): string {
  return `UPDATE transaction SET ${change} WHERE id = ${parent(childId)}`
}

function parent(childId: string): string {
  return `(SELECT reference_id FROM transaction WHERE id = '${childId}')`
}
