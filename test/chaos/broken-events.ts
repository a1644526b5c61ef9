// One fault in the events or their deliveries, and the check that must report it.

import { randomUUID } from 'node:crypto'
import { changeOnce } from './broken-batches.ts'
import { type AuditCase, EVENT_COLUMNS } from './broken-transactions.ts'

export const CASES_OF_EVENTS: readonly AuditCase[] = [
  {
    check: 'events are numbered by the odd numbers, without a gap',
    what: 'an event was never written',
    doctor: ({ approved }) => `DELETE FROM event WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'events are numbered by the odd numbers, without a gap',
    what: 'a number was left out',
    doctor: ({ announced }) =>
      `UPDATE event SET sequence = 5 WHERE resource_id = '${announced.id}' AND sequence = 3`,
  },
  {
    check: 'events are numbered by the odd numbers, without a gap',
    what: 'an event is one too many',
    doctor: ({ approved }) => `
      INSERT INTO event ${EVENT_COLUMNS}
      SELECT account_id, '${randomUUID()}', 'update_transaction', resource_id, 2, snapshot,
        request_id, created_at
      FROM event WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'the settled event has a number between two changes',
    what: 'it has one that is still to come',
    doctor: ({ settled }) => `
      UPDATE event SET sequence = sequence + 2
      WHERE resource_id = '${settled.id}' AND type = 'update_transaction_settled'`,
  },
  {
    check: 'no event after the settled one shows the transaction unsettled',
    what: 'a change was made of a row that was read before',
    doctor: ({ settled }) => changeOnce(`'${settled.id}'`, "'null'"),
  },
  {
    check: 'the first event is the creation, the others are changes',
    what: 'the first is a change',
    doctor: ({ approved }) =>
      `UPDATE event SET type = 'update_transaction' WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'the events of a row lead to its state',
    what: 'the last event has another outcome',
    journal: ({ declined }) => [declined],
    doctor: ({ approved }) => `
      UPDATE event SET snapshot = jsonb_set(snapshot::jsonb, '{status}', '"FAILED"')
      WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'the events of a row lead to its state',
    what: 'the outcome comes before PENDING',
    doctor: ({ announced }) => `
      UPDATE event SET sequence = 4 - sequence + 10,
        type = CASE sequence WHEN 3 THEN 'create_transaction' ELSE 'update_transaction' END
      WHERE resource_id = '${announced.id}';
      UPDATE event SET sequence = sequence - 10 WHERE resource_id = '${announced.id}';
      UPDATE transaction SET outcome_sequence = 1 WHERE id = '${announced.id}'`,
  },
  {
    check: 'a caller that was answered PENDING finds the event of it',
    what: 'the only event is the outcome',
    journal: ({ approved }) => [{ ...approved, status: 'PENDING' }],
  },
  {
    check: 'every event is of an existing row',
    what: 'an event is of a row that does not exist',
    doctor: ({ approved }) => `
      INSERT INTO event ${EVENT_COLUMNS}
      SELECT account_id, '${randomUUID()}', type, '${randomUUID()}', sequence, snapshot,
        request_id, created_at
      FROM event WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'the answer that is kept is the outcome',
    what: 'the kept answer is PENDING',
    journal: ({ approved }) => [approved],
    doctor: ({ announced }) =>
      `UPDATE transaction SET outcome_sequence = 1 WHERE id = '${announced.id}'`,
  },
  {
    check: 'the answer that is kept is the outcome',
    what: 'the kept answer was never written',
    doctor: ({ approved }) =>
      `UPDATE transaction SET outcome_sequence = 2 WHERE id = '${approved.id}'`,
  },
  {
    check: 'the answer that is kept is the outcome',
    what: 'the kept answer was given before the refund',
    journal: ({ approved }) => [approved],
    doctor: ({ refund }) => `UPDATE transaction SET outcome_sequence = 1 WHERE id = '${refund.id}'`,
  },
  {
    check: 'a key is held by its transaction',
    what: 'no transaction holds it',
    doctor: ({ approved }) => `DELETE FROM idempotency WHERE key = '${approved.key}'`,
  },
  {
    check: 'a key is held by its transaction',
    what: 'another holds it',
    doctor: ({ approved, announced }) =>
      `UPDATE idempotency SET resource_id = '${announced.id}' WHERE key = '${approved.key}'`,
  },
  {
    check: 'no key is taken by nothing',
    what: 'a key was taken and nothing made with it',
    doctor: ({ approved }) => `
      INSERT INTO idempotency (account_id, key, operation, request, resource_id, created_at)
      SELECT account_id, 'another', operation, request, '${randomUUID()}', created_at
      FROM idempotency WHERE key = '${approved.key}'`,
  },
]
