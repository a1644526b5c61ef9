// Schedules and retries of invoices fall due again and again: years of them pass in seconds.

import type pg from 'pg'
import { type NowAndThen, nowAndThen } from './now-and-then.ts'
import { type Introduced, make } from './setting.ts'

/** A few rounds of the schedules' queue fit between two. */
const EVERY_MS = 800
const SCHEDULES_AT_ONCE = 3

/** Due in time or missed, and rarely twice on the same day: no schedule becomes a runaway. */
const DUE = `
  UPDATE schedule s SET due_at = $1::timestamptz, next_run_at = CASE WHEN random() < 0.3 THEN $1
    ELSE $1::timestamptz - make_interval(secs => floor(random() * 31000000)) END
  FROM (
    SELECT account_id, id FROM schedule WHERE status = 'active'
    ORDER BY random() LIMIT $2
  ) drawn
  WHERE s.account_id = drawn.account_id AND s.id = drawn.id`

/** Moves a retry back as if the days until then had passed. */
const RETRY = `
  UPDATE invoice SET retry_at = $1, due_at = $1 WHERE retry_at > $1 AND random() < 0.5`

export function startSchedules(databaseUrl: string): NowAndThen {
  return nowAndThen(databaseUrl, EVERY_MS, async (client) => {
    await makeDue(client, SCHEDULES_AT_ONCE)
    await client.query(RETRY, [new Date()])
  })
}

/** Makes this many schedules due, each with one occurrence. */
export async function makeDue(client: pg.Client, most: number): Promise<void> {
  await client.query(DUE, [new Date(), most])
}

/** Schedules of every kind, none of which falls due by itself for now. */
export async function bookSchedules(caller: Introduced): Promise<void> {
  const { good, bad } = caller
  const paid = { customer_id: good.customerId, payment_method_id: good.id }
  const declined = { customer_id: bad.customerId, payment_method_id: bad.id }
  const kinds = [
    paid,
    paid,
    { ...paid, email_notification: false },
    { ...paid, missed_runs: 'one' },
    { ...paid, missed_runs: 'skip' },
    { customer_id: good.customerId },
    declined,
    { ...declined, missed_runs: 'one' },
  ]
  const start = `${new Date().getUTCFullYear() + 1}-01-31 09:00:00`
  const fixed = { rule: 'FREQ=YEARLY', start, total: '12.34' }
  await Promise.all(kinds.map((kind) => make(caller, '/invoice/schedule', { ...fixed, ...kind })))
}
