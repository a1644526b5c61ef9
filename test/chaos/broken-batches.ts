// One fault in batches, or in their transactions, and the check that must report it.

import { randomUUID } from 'node:crypto'
import { type AuditCase, EVENT_COLUMNS } from './broken-transactions.ts'

/** One batch is closed, and one is open. */
const CLOSED = `(SELECT id FROM batch WHERE status = 'closed')`
const CLOSED_DAY = `(SELECT business_date FROM batch WHERE status = 'closed')`
const OPEN_DAY = `(SELECT business_date FROM batch WHERE status = 'open')`

export const CASES_OF_BATCHES: readonly AuditCase[] = [
  {
    check: 'a batch adds up',
    what: 'its sales are a cent too high, here and at the gateway',
    doctor: () => addToBatch('0', '1', '0'),
  },
  {
    check: 'a batch adds up',
    what: 'it counts one too many',
    doctor: () => addToBatch('1', '0', '0'),
  },
  {
    check: 'a batch adds up',
    what: 'it says a cent of refunds that it did not take',
    doctor: () => addToBatch('0', '0', '1'),
  },
  {
    check: 'no closing is left halfway',
    what: 'a batch is frozen',
    doctor: () => `
      UPDATE batch SET status = 'closing', cutoff_at = created_at, closed_at = created_at
      WHERE status = 'open'`,
  },
  {
    check: 'no closing is left halfway',
    what: 'an event is not written yet',
    doctor: () => `UPDATE batch SET events_written = count - 1 WHERE status = 'closed'`,
  },
  {
    check: 'a batch adds up',
    what: 'it counts what was voided',
    doctor: (transactions) =>
      addToBatch('1', `(SELECT total FROM transaction WHERE id = '${transactions.void.id}')`, '0'),
  },
  {
    check: 'a batch adds up',
    what: 'one of them is of another day',
    doctor: ({ settled }) => ofOpenDay(`'${settled.id}'`),
  },
  {
    check: 'a batch adds up',
    what: 'one more has its date',
    doctor: ({ approved }) => `
      ${changed(approved.id, `business_date = ${CLOSED_DAY}`)};
      ${addBatchEvent(`'${approved.id}'`)}`,
  },
  {
    check: 'a batch takes what succeeded and stands',
    what: 'one of them was recorded by hand',
    doctor: ({ settled }) => `
      ALTER TABLE transaction DROP CONSTRAINT transaction_business_date,
        DROP CONSTRAINT transaction_manual_has_no_gateway;
      ${changed(settled.id, 'is_manual = true')}`,
  },
  {
    check: 'a batch leaves nothing behind',
    what: 'one is of a day that has no batch',
    doctor: ({ approved }) => changed(approved.id, `business_date = ${CLOSED_DAY} - 1`),
  },
  {
    check: 'each transaction of a batch has one event of it',
    what: 'there is no event',
    doctor: ({ settled }) => notTold(`'${settled.id}'`),
  },
  {
    check: 'each transaction of a batch has one event of it',
    what: 'there are two events',
    doctor: ({ settled }) => addBatchEvent(`'${settled.id}'`),
  },
  {
    check: 'a batch has one event, and one of its deposit',
    what: 'the deposit has no event',
    doctor: () => `DELETE FROM event WHERE type = 'create_deposit'`,
  },
  {
    check: 'a batch has one event, and one of its deposit',
    what: 'the event of the deposit is the first',
    doctor: () => `
      UPDATE event SET type = CASE sequence WHEN 1 THEN 'create_deposit' ELSE 'create_batch' END
      WHERE type IN ('create_batch', 'create_deposit')`,
  },
]

/** Takes the transaction with the id in SQL out of the closed batch, with all consequences. */
export function outOfBatch(id: string): string {
  return `
    ${ofOpenDay(id)};
    ${addToBatch('-1', `-(SELECT total FROM transaction WHERE id = ${id})`, '0')}`
}

/** Moves it out of the closed day and its events; the sums stay. */
function ofOpenDay(id: string): string {
  return `
    UPDATE transaction SET business_date = ${OPEN_DAY} WHERE id = ${id};
    ${notTold(id)}`
}

function notTold(id: string): string {
  return `
    DELETE FROM event
    WHERE resource_id = ${id}::text AND type = 'update_transaction_settled'`
}

/** Adds to the closed batch. */
function addToBatch(count: string, sales: string, refunds: string): string {
  const sums = `count = count + ${count}, sales = sales + ${sales}, refunds = refunds + ${refunds}`
  return `
    UPDATE batch SET ${sums}, events_written = events_written + ${count} WHERE status = 'closed'`
}

/** Adds a change, with an event that shows the closed batch. */
function addBatchEvent(id: string): string {
  return `
    ${changeOnce(id, `to_jsonb(${CLOSED})`)};
    INSERT INTO event ${EVENT_COLUMNS}
    SELECT e.account_id, '${randomUUID()}', 'update_transaction_settled', e.resource_id,
      t.version + 1, e.snapshot, e.request_id, e.created_at
    FROM transaction t
    JOIN event e ON e.account_id = t.account_id AND e.resource_id = t.id::text
      AND e.sequence = t.version
    WHERE t.id = ${id}`
}

/** Adds a change whose event shows this batch, given as JSON in SQL. */
export function changeOnce(id: string, batchId: string): string {
  return `
    UPDATE transaction SET version = version + 2 WHERE id = ${id};
    INSERT INTO event ${EVENT_COLUMNS}
    SELECT e.account_id, '${randomUUID()}', 'update_transaction', e.resource_id, t.version,
      jsonb_set(e.snapshot::jsonb, '{batch_id}', ${batchId}), e.request_id, e.created_at
    FROM transaction t
    JOIN event e ON e.account_id = t.account_id AND e.resource_id = t.id::text
      AND e.sequence = t.version - 2
    WHERE t.id = ${id}`
}

function changed(id: string, change: string): string {
  return `UPDATE transaction SET ${change} WHERE id = '${id}'`
}
