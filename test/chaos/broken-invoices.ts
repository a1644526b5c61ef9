// One fault in schedules, invoices, or their payments, and the check that must report it.

import { randomUUID } from 'node:crypto'
import type { AuditCase } from './broken-transactions.ts'

/** One invoice came from a run and was paid, and one is unpaid. */
const PAID = `(SELECT id FROM invoice WHERE status = 'PAID')`
const DRAFT = `(SELECT id FROM invoice WHERE status = 'DRAFT')`

const RESOURCES = [
  { table: 'invoice', name: 'invoice' },
  { table: 'schedule', name: 'scheduled_invoice' },
] as const

export const CASES_OF_INVOICES: readonly AuditCase[] = [
  {
    check: 'an occurrence is run once',
    what: 'it was left out as well',
    doctor: () => `
      ALTER TABLE schedule_run DROP CONSTRAINT schedule_run_pkey;
      INSERT INTO schedule_run (account_id, schedule_id, occurs_at, created_at)
      SELECT account_id, schedule_id, occurs_at, created_at FROM schedule_run`,
  },
  {
    check: 'a run makes one invoice, and a scheduled invoice is of one run',
    what: 'the invoice is for another time',
    doctor: () => `UPDATE schedule_run SET occurs_at = occurs_at + interval '1 hour'`,
  },
  {
    check: 'a run makes one invoice, and a scheduled invoice is of one run',
    what: 'no run of a schedule made the invoice',
    doctor: () => `
      UPDATE invoice SET schedule_id = (SELECT id FROM schedule), payment_method_id = NULL
      WHERE status = 'DRAFT'`,
  },
  {
    check: 'a run that made an invoice finds it',
    what: 'it is not there',
    doctor: () => `
      INSERT INTO schedule_run (account_id, schedule_id, occurs_at, invoice_id, created_at)
      SELECT account_id, schedule_id, occurs_at + interval '1 day', '${randomUUID()}', created_at
      FROM schedule_run`,
  },
  {
    check: 'a schedule counts its runs',
    what: 'its count is one too high, in its event as well',
    doctor: () => `
      UPDATE schedule SET count = count + 1;
      ${lastEventOf('schedule', '{count}', `to_jsonb(r.count)`)}`,
  },
  {
    check: 'no invoice has two payments',
    what: 'a second one succeeded',
    doctor: ({ approved }) => `
      DROP INDEX transaction_payment_of_invoice;
      UPDATE transaction SET invoice_id = ${PAID} WHERE id = '${approved.id}'`,
  },
  {
    check: 'an invoice is paid by one charge of its total, and only then',
    what: 'it was charged and is not paid',
    doctor: ({ approved }) =>
      `UPDATE transaction SET invoice_id = ${DRAFT} WHERE id = '${approved.id}'`,
  },
  {
    check: 'an invoice is paid by one charge of its total, and only then',
    what: 'a cent is missing',
    doctor: () => `
      UPDATE invoice SET total = total + 1, total_paid = total_paid + 1 WHERE status = 'PAID'`,
  },
  {
    check: 'an invoice is paid by one charge of its total, and only then',
    what: 'it names another payment',
    doctor: ({ approved }) =>
      `UPDATE invoice SET payment_id = '${approved.id}' WHERE status = 'PAID'`,
  },
  {
    check: 'an invoice is paid by one charge of its total, and only then',
    what: 'it waits for a payment that is not under way',
    doctor: ({ declined }) =>
      `UPDATE invoice SET payment_id = '${declined.id}' WHERE status = 'DRAFT'`,
  },
  {
    check: 'automatic payments are numbered without a gap',
    what: 'the first is the second',
    doctor: () => 'UPDATE transaction SET invoice_try = 2 WHERE invoice_try = 1',
  },
  {
    check: 'what a schedule pays by itself was tried',
    what: 'another transaction paid it',
    doctor: () => `
      UPDATE invoice SET tries = 0;
      UPDATE transaction SET invoice_try = NULL`,
  },
  ...(['batch', 'schedule', 'invoice'] as const).map((table) => ({
    check: 'no time of business has passed unseen',
    what: `the ${table} is overdue`,
    doctor: () => `
      ALTER TABLE invoice DROP CONSTRAINT invoice_due_retries;
      UPDATE ${table} SET due_at = created_at - interval '1 minute'
      WHERE id = (SELECT id FROM ${table} ORDER BY created_at LIMIT 1)`,
  })),
  ...RESOURCES.flatMap(({ table, name }): readonly AuditCase[] => [
    {
      check: `events of each ${name} are numbered without a gap`,
      what: 'one was never written',
      doctor: () => `
        DELETE FROM event e USING ${table} r
        WHERE e.resource_id = r.id::text AND e.sequence = 1 AND r.version > 1`,
    },
    {
      check: `events of each ${name} begin with its creation`,
      what: 'the first is a change',
      doctor: () => `
        UPDATE event e SET type = 'update_${name}' FROM ${table} r
        WHERE e.resource_id = r.id::text AND e.sequence = 1 AND r.version > 1`,
    },
    {
      check: `the last event of each ${name} shows it as it is`,
      what: 'it shows it otherwise',
      doctor: () => lastEventOf(table, '{status}', `'"VOID"'`),
    },
  ]),
]

/** The last events of all changed invoices or schedules `r`. */
function lastEventOf(table: string, path: string, value: string): string {
  return `
    UPDATE event e SET snapshot = jsonb_set(e.snapshot::jsonb, '${path}', ${value})
    FROM ${table} r
    WHERE e.resource_id = r.id::text AND e.sequence = r.version AND r.version > 1`
}
