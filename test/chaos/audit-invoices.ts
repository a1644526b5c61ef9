// Checks once all is quiet: schedules, the invoices of their runs, and the payments of these.

import type { Check } from './audit-sql.ts'

/** A payment `t` of an invoice `v` that is in progress, or that stands. */
const PAYMENT = `t.account_id = v.account_id AND t.invoice_id = v.id AND t.type = 'charge'
  AND NOT t.is_manual AND NOT t.is_voided AND t.status <> 'FAILED'`

/** The events `e` of an invoice or a schedule `r`. */
const OF_THE_RESOURCE = `e.account_id = r.account_id AND e.resource_id = r.id::text`

interface Resource {
  readonly table: 'invoice' | 'schedule'
  readonly name: string
  /** The fields of `r` that the last event must show. */
  readonly shown: string
}

const STATUS = `e.snapshot->>'status' = r.status::text`
const RESOURCES: readonly Resource[] = [
  { table: 'invoice', name: 'invoice', shown: STATUS },
  {
    table: 'schedule',
    name: 'scheduled_invoice',
    shown: `(${STATUS} AND (e.snapshot->>'count')::integer = r.count)`,
  },
]

export const CHECKS_OF_INVOICES: readonly Check[] = [
  {
    name: 'an occurrence is run once',
    sql: `
      SELECT format('%s at %s: %s times', schedule_id, occurs_at, count(*)) AS says
      FROM schedule_run
      GROUP BY account_id, schedule_id, occurs_at HAVING count(*) > 1`,
  },
  {
    name: 'a run makes one invoice, and a scheduled invoice is of one run',
    sql: `
      SELECT format('invoice %s of schedule %s for %s: runs at %s', v.id, v.schedule_id, v.pay_by,
        coalesce(string_agg(r.occurs_at::text, ', '), 'no time')) AS says
      FROM invoice v
      LEFT JOIN schedule_run r ON r.account_id = v.account_id AND r.invoice_id = v.id
      GROUP BY v.account_id, v.id
      HAVING count(r.occurs_at) <> (v.schedule_id IS NOT NULL)::integer
        OR bool_or(r.schedule_id <> v.schedule_id OR r.occurs_at IS DISTINCT FROM v.pay_by)`,
  },
  {
    name: 'a run that made an invoice finds it',
    sql: `
      SELECT format('%s at %s: %s', schedule_id, occurs_at, invoice_id) AS says
      FROM schedule_run r
      WHERE invoice_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM invoice v WHERE v.account_id = r.account_id AND v.id = r.invoice_id)`,
  },
  {
    name: 'a schedule counts its runs',
    sql: `
      SELECT format('%s: %s runs made an invoice, counted are %s', s.id, count(v.id), s.count) AS says
      FROM schedule s
      LEFT JOIN schedule_run r ON r.account_id = s.account_id AND r.schedule_id = s.id
      LEFT JOIN invoice v ON v.account_id = r.account_id AND v.id = r.invoice_id
      GROUP BY s.account_id, s.id HAVING s.count <> count(v.id)`,
  },
  {
    name: 'no invoice has two payments',
    sql: `
      SELECT format('%s: %s', v.id, string_agg(t.id || ' ' || t.status, ', ')) AS says
      FROM invoice v JOIN transaction t ON ${PAYMENT}
      GROUP BY v.account_id, v.id HAVING count(*) > 1`,
  },
  {
    // Two payments of one invoice are a violation of another check.
    name: 'an invoice is paid by one charge of its total, and only then',
    sql: `
      SELECT format('%s of %s cents is %s with %s by %s; charged are %s by %s', v.id, v.total,
        v.status, v.total_paid, coalesce(v.payment_id::text, 'none'), coalesce(sum(t.total), 0),
        coalesce(min(t.id::text), 'none')) AS says
      FROM invoice v LEFT JOIN transaction t ON ${PAYMENT} AND t.status = 'SUCCESS'
      GROUP BY v.account_id, v.id
      HAVING count(t.id) < 2 AND (
        (v.status = 'PAID') <> (count(t.id) = 1)
        OR v.payment_id::text IS DISTINCT FROM min(t.id::text)
        OR v.total_paid <> coalesce(sum(t.total), 0)
        OR (v.status = 'PAID' AND v.total_paid <> v.total))`,
  },
  {
    name: 'automatic payments are numbered without a gap',
    sql: `
      SELECT format('%s was tried %s times, there are %s up to %s', v.id, v.tries,
        count(t.invoice_try), coalesce(max(t.invoice_try), 0)) AS says
      FROM invoice v
      LEFT JOIN transaction t ON t.account_id = v.account_id AND t.invoice_id = v.id
      GROUP BY v.account_id, v.id
      HAVING count(t.invoice_try) <> v.tries OR coalesce(max(t.invoice_try), 0) <> v.tries
        OR count(DISTINCT t.invoice_try) <> v.tries`,
  },
  {
    name: 'what a schedule pays by itself was tried',
    sql: `
      SELECT format('%s of schedule %s is %s', v.id, v.schedule_id, v.status) AS says
      FROM invoice v
      WHERE v.schedule_id IS NOT NULL AND v.payment_method_id IS NOT NULL AND v.tries = 0`,
  },
  {
    name: 'no time of business has passed unseen',
    sql: `
      SELECT format('%s %s since %s', what, id, due_at) AS says
      FROM (
        SELECT 'batch' AS what, id, due_at FROM batch
        UNION ALL SELECT 'schedule', id, due_at FROM schedule
        UNION ALL SELECT 'invoice', id, due_at FROM invoice
      ) owed
      WHERE due_at <= clock_timestamp() - interval '5 seconds'`,
  },
  ...RESOURCES.flatMap(eventsOf),
]

function eventsOf({ table, name, shown }: Resource): readonly Check[] {
  return [
    {
      name: `events of each ${name} are numbered without a gap`,
      sql: `
        SELECT format('%s at version %s has %s events from %s to %s', r.id, r.version,
          count(e.sequence), min(e.sequence), max(e.sequence)) AS says
        FROM ${table} r LEFT JOIN event e ON ${OF_THE_RESOURCE}
        GROUP BY r.account_id, r.id
        HAVING count(e.sequence) <> r.version OR min(e.sequence) <> 1
          OR max(e.sequence) <> r.version`,
    },
    {
      name: `events of each ${name} begin with its creation`,
      sql: `
        SELECT format('%s: event %s is %s', r.id, e.sequence, e.type) AS says
        FROM ${table} r JOIN event e ON ${OF_THE_RESOURCE}
        WHERE e.type NOT IN ('create_${name}', 'update_${name}', 'delete_${name}')
          OR (e.type = 'create_${name}') <> (e.sequence = 1)
          OR (e.type = 'delete_${name}') AND e.sequence <> r.version`,
    },
    {
      name: `the last event of each ${name} shows it as it is`,
      sql: `
        SELECT format('%s is %s, its event says %s', r.id, r.status, e.snapshot->>'status') AS says
        FROM ${table} r JOIN event e ON ${OF_THE_RESOURCE} AND e.sequence = r.version
        WHERE ${shown} IS NOT TRUE`,
    },
  ]
}
