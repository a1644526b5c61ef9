// One fault in our ledger or the gateway's, and the check that must report it.

import { randomUUID } from 'node:crypto'
import type { JournalEntry } from './audit.ts'

/** The transactions of the service under audit: one of each kind. */
export interface AuditedTransactions {
  /** A transaction in the one closed batch, beside its refunds. */
  readonly settled: JournalEntry
  readonly approved: JournalEntry
  readonly declined: JournalEntry
  /** A SUCCESS whose caller got PENDING first. */
  readonly announced: JournalEntry
  /** Two parts of one charge, through a payment link. */
  readonly refund: JournalEntry
  readonly lastRefund: JournalEntry
  /** A part of a pre_auth. */
  readonly capture: JournalEntry
  readonly void: JournalEntry
}

export interface AuditCase {
  readonly check: string
  readonly what: string
  /** The SQL that makes the fault. */
  readonly doctor?: (transactions: AuditedTransactions) => string
  /** The answers to callers, if the fault is there. */
  readonly journal?: (transactions: AuditedTransactions) => readonly JournalEntry[]
}

export const EVENT_COLUMNS =
  '(account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)'

export const CASES_OF_TRANSACTIONS: readonly AuditCase[] = [
  {
    check: 'each accepted transaction is in our ledger',
    what: 'a charge is gone',
    journal: ({ approved }) => [{ ...approved, id: randomUUID(), key: 'another' }],
  },
  {
    check: 'what was accepted is what was ordered',
    what: 'the amount is another',
    journal: ({ approved }) => [{ ...approved, cents: 1 }],
  },
  {
    check: 'what was accepted is what was ordered',
    what: 'the key is that of another charge',
    journal: ({ approved, announced }) => [{ ...announced, key: approved.key }],
  },
  {
    check: 'a final answer stays true',
    what: 'a charge was answered as declined and is not',
    journal: ({ approved }) => [{ ...approved, status: 'FAILED' }],
  },
  {
    check: 'the answer that is kept is the one that was given',
    what: 'one of two answers differs by a space',
    journal: ({ approved }) => [approved, { ...approved, body: `${approved.body} ` }],
  },
  {
    check: 'a key has one transaction',
    what: 'two transactions have one key',
    journal: ({ approved }) => [approved],
    doctor: ({ approved, announced }) =>
      `UPDATE transaction SET idempotency_id = '${approved.key}' WHERE id = '${announced.id}'`,
  },
  {
    check: 'nothing is owed',
    what: 'a charge is still in doubt',
    journal: ({ declined }) => [declined],
    doctor: ({ approved }) => `
      UPDATE transaction
      SET status = 'PENDING', captured = 0, business_date = NULL, owed = 'doubt', due_at = '2031-01-01'
      WHERE id = '${approved.id}'`,
  },
  {
    check: 'nothing is owed',
    what: 'a charge is parked',
    journal: ({ declined }) => [declined],
    doctor: ({ approved }) => `
      UPDATE transaction
      SET status = 'PENDING', captured = 0, business_date = NULL, owed = 'doubt', parked_at = '2031-01-01'
      WHERE id = '${approved.id}'`,
  },
  {
    check: 'the gateway agrees with what succeeded',
    what: 'the gateway declined it',
    doctor: ({ approved }) =>
      `UPDATE sandbox_gateway_payment SET outcome = 'declined' WHERE key = '${approved.id}'`,
  },
  {
    check: 'the gateway agrees with what succeeded',
    what: 'the gateway does not know it',
    doctor: ({ approved }) => `DELETE FROM sandbox_gateway_payment WHERE key = '${approved.id}'`,
  },
  {
    check: 'the gateway agrees with what failed',
    what: 'the gateway approved it',
    doctor: ({ declined }) =>
      `UPDATE sandbox_gateway_payment SET outcome = 'approved' WHERE key = '${declined.id}'`,
  },
  {
    check: 'the gateway agrees with what failed',
    what: 'it failed before its deadline and the gateway does not know it',
    doctor: ({ declined }) => `DELETE FROM sandbox_gateway_payment WHERE key = '${declined.id}'`,
  },
  {
    check: 'the gateway agrees with what failed',
    what: 'it failed at its deadline and the gateway approved it',
    doctor: ({ declined }) => `
      UPDATE sandbox_gateway_payment SET outcome = 'approved' WHERE key = '${declined.id}';
      UPDATE transaction SET deadline_at = updated_at WHERE id = '${declined.id}'`,
  },
  {
    check: 'the gateway made what we ordered',
    what: 'the gateway took a cent more',
    doctor: ({ approved }) =>
      `UPDATE sandbox_gateway_payment SET amount = amount + 1 WHERE key = '${approved.id}'`,
  },
  {
    check: 'the gateway made what we ordered',
    what: 'the gateway calls it by another name',
    doctor: ({ approved }) =>
      `UPDATE sandbox_gateway_payment SET gateway_id = 'another' WHERE key = '${approved.id}'`,
  },
  {
    check: 'the gateway made what we ordered',
    what: 'the gateway gave back of another payment',
    doctor: ({ refund }) =>
      `UPDATE sandbox_gateway_payment SET parent_key = 'another' WHERE key = '${refund.id}'`,
  },
  {
    check: 'the gateway made nothing else',
    what: 'the gateway gave back a second time, with a key of its own',
    doctor: ({ lastRefund }) => `
      INSERT INTO sandbox_gateway_payment (account_id, key, gateway_id, operation, parent_key,
        amount, outcome, silent_until, created_at, booked_at)
      SELECT account_id, key || '-2', gateway_id, operation, parent_key, amount, outcome,
        silent_until, created_at, booked_at
      FROM sandbox_gateway_payment WHERE key = '${lastRefund.id}'`,
  },
  {
    check: 'the gateway made nothing else',
    what: 'the gateway charged a second time, with a key of its own',
    doctor: ({ approved }) => `
      INSERT INTO sandbox_gateway_payment
        (account_id, key, gateway_id, operation, amount, outcome, silent_until, created_at,
        booked_at)
      SELECT account_id, key || '-2', gateway_id, operation, amount, outcome, silent_until,
        created_at, booked_at
      FROM sandbox_gateway_payment WHERE key = '${approved.id}'`,
  },
  {
    check: 'what succeeded is captured',
    what: 'a cent is missing',
    doctor: ({ approved }) =>
      `UPDATE transaction SET captured = captured - 1 WHERE id = '${approved.id}'`,
  },
  {
    check: 'what succeeded is captured',
    what: 'a cent of a capture is missing',
    doctor: ({ capture }) => `
      UPDATE transaction SET captured = captured - 1 WHERE id = '${capture.id}';
      UPDATE payment_link SET total_sales = total_sales - 1`,
  },
]
