// The statements that write what schedules have run: one for the runs, with their invoices and the
// payments that these owe, and one for the schedules as they are then; each with its events.

import { gatheredStatement } from '../db/gathered.ts'
import { INSERT_EVENTS } from '../events/insert-event.ts'

const nothing = () => undefined

export interface RunWrite {
  readonly accountId: string
  readonly scheduleId: string
  readonly occursAt: Date
  readonly invoiceId: string | null
  readonly isSent: boolean
  readonly token: string | null
  readonly paymentId: string | null
  readonly eventId: string | null
  readonly snapshot: string | null
  readonly at: Date
  readonly dueAt: Date
  readonly deadlineAt: Date
}

/** What else they are made of stands in the schedule. The payment's columns are a charge's. */
export const insertRuns = gatheredStatement<RunWrite, undefined>({
  name: 'insert-runs',
  columns: {
    accountId: 'uuid',
    scheduleId: 'uuid',
    occursAt: 'timestamptz',
    invoiceId: 'uuid',
    isSent: 'boolean',
    token: 'text',
    paymentId: 'uuid',
    eventId: 'uuid',
    snapshot: 'json',
    at: 'timestamptz',
    dueAt: 'timestamptz',
    deadlineAt: 'timestamptz',
  },
  text: (input) => `
    WITH ${input},
    billed AS (
      SELECT i.*, s.total, s.currency, s.customer_id, s.payment_method_id, s.channel, s.meta,
        s.request_id
      FROM input i
      CROSS JOIN LATERAL (
        SELECT * FROM schedule WHERE account_id = i.account_id AND id = i.schedule_id OFFSET 0
      ) s
      WHERE i.invoice_id IS NOT NULL
    ),
    invoiced AS (
      INSERT INTO invoice (
        account_id, id, status, total, currency, customer_id, payment_method_id, schedule_id,
        token, channel, meta, pay_by, sent_at, payment_id, tries, request_id, created_at, updated_at
      )
      SELECT account_id, invoice_id,
        CASE WHEN is_sent THEN 'SENT'::invoice_status ELSE 'DRAFT'::invoice_status END, total,
        currency, customer_id, payment_method_id, schedule_id, token, channel, meta, occurs_at,
        CASE WHEN is_sent THEN at END, payment_id,
        CASE WHEN payment_id IS NULL THEN 0 ELSE 1 END, request_id, at, at
      FROM billed
    ),
    named AS (
      INSERT INTO bill_name (token, account_id, invoice_id)
      SELECT token, account_id, invoice_id FROM billed
    ),
    charged AS (
      INSERT INTO transaction (
        account_id, id, type, method, status, currency, total, channel, customer_id,
        payment_method_id, invoice_id, invoice_try, schedule_id, gateway_name, last_four, meta,
        request_id, owed, due_at, deadline_at, created_at, updated_at
      )
      SELECT b.account_id, b.payment_id, 'charge', m.method, 'PENDING', b.currency, b.total,
        b.channel, b.customer_id, m.id, b.invoice_id, 1, b.schedule_id, m.gateway_name, m.last_four,
        b.meta, b.request_id, 'charge', b.due_at, b.deadline_at, b.at, b.at
      FROM billed b
      CROSS JOIN LATERAL (
        SELECT * FROM payment_method
        WHERE account_id = b.account_id AND id = b.payment_method_id OFFSET 0
      ) m
      WHERE b.payment_id IS NOT NULL
    ),
    told AS (
      ${INSERT_EVENTS}
      SELECT account_id, event_id, 'create_invoice', invoice_id::text, 1, snapshot, request_id, at
      FROM billed
    )
    INSERT INTO schedule_run (account_id, schedule_id, occurs_at, invoice_id, created_at)
    SELECT account_id, schedule_id, occurs_at, invoice_id, at FROM input`,
  read: nothing,
})

export interface Move {
  readonly accountId: string
  readonly id: string
  readonly status: string
  readonly count: number
  readonly runDay: string | null
  readonly runsOfDay: number
  readonly lastRunAt: Date | null
  readonly lastInvoiceId: string | null
  readonly nextRunAt: Date | null
  readonly dueAt: Date | null
  readonly version: number
  readonly at: Date
  readonly eventId: string
  readonly snapshot: string
  readonly outlook: string
  readonly parkedReason: string | null
}

export const moveSchedules = gatheredStatement<Move, undefined>({
  name: 'move-schedules',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    status: 'text',
    count: 'integer',
    runDay: 'date',
    runsOfDay: 'integer',
    lastRunAt: 'timestamptz',
    lastInvoiceId: 'uuid',
    nextRunAt: 'timestamptz',
    dueAt: 'timestamptz',
    version: 'integer',
    at: 'timestamptz',
    eventId: 'uuid',
    snapshot: 'json',
    outlook: 'jsonb',
    parkedReason: 'text',
  },
  text: (input) => `
    WITH ${input},
    moved AS (
      UPDATE schedule s SET status = i.status::schedule_status, count = i.count,
        run_day = i.run_day, runs_of_day = i.runs_of_day, last_run_at = i.last_run_at,
        last_invoice_id = i.last_invoice_id, next_run_at = i.next_run_at, due_at = i.due_at,
        version = i.version, updated_at = i.at, outlook = i.outlook,
        parked_reason = i.parked_reason
      FROM input i WHERE s.account_id = i.account_id AND s.id = i.id
      RETURNING s.account_id, i.event_id, s.id, s.version, i.snapshot, s.request_id, i.at
    )
    ${INSERT_EVENTS}
    SELECT account_id, event_id, 'update_scheduled_invoice', id::text, version, snapshot,
      request_id, at
    FROM moved`,
  read: nothing,
})
