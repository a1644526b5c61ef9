// The pending work of the service, by kind: how many rows are due that no worker has taken, since
// when, and how many rows have failed for good and wait for a person. A worker that takes a row
// moves its due time or holds a lease on it. So in a service that keeps up, due rows are few and
// recent.
//
// Each kind is read through the partial index by which its own worker finds its rows. So the cost
// depends on the number of due rows, never on the size of the table.

import { type DeliveryChannel, isDeliveryChannel, LONG_FAILING_MS } from '../core/delivery.ts'
import { after, MINUTE } from '../core/time-units.ts'
import { IS_STOPPED, PAUSED_ENDPOINTS } from '../deliveries/claim-due-deliveries.ts'
import type { World } from '../world.ts'

export const DUE_KINDS = [
  'charge',
  'refund',
  'doubt',
  'batch',
  'gateway_feed',
  'schedule',
  'payment_retry',
  'clock',
  'email',
  'sms',
  'webhook',
  'replay',
] as const

export type DueKind = (typeof DUE_KINDS)[number]

/** The singular and the plural of each kind of pending work. */
export const DUE_NAMES: Readonly<Record<DueKind, readonly [string, string]>> = {
  charge: ['charge', 'Charges'],
  refund: ['void or refund', 'Voids and refunds'],
  doubt: ['payment in doubt', 'Payments in doubt'],
  batch: ['batch to close', 'Batches to close'],
  gateway_feed: ["gateway's news to read", "Gateways' news to read"],
  schedule: ['schedule to run', 'Schedules to run'],
  payment_retry: ['payment retry', 'Payment retries'],
  clock: ['sandbox clock to advance', 'Sandbox clocks to advance'],
  email: ['e-mail', 'E-mails'],
  sms: ['text message', 'Text messages'],
  webhook: ['webhook', 'Webhooks'],
  replay: ['webhook replay', 'Webhook replays'],
}

/** A sweep finds overdue work sooner. */
const LATE_MS = 2 * MINUTE

/** The pace of a provider delays messages, and so does the rest of an endpoint that failed. */
const LATE_MESSAGE_MS = 15 * MINUTE

/** For longer than in a service that keeps up. The alerts have the same limits. */
export function isLate(kind: DueKind, ms: number): boolean {
  const isMessage = isDeliveryChannel(kind) || kind === 'replay'
  return ms > (isMessage ? LATE_MESSAGE_MS : LATE_MS)
}

export interface DueRows {
  readonly kind: DueKind
  readonly count: number
  /** Null if nothing is due. */
  readonly oldestDueAt: Date | null
}

export const PARKED_KINDS = ['payment', 'schedule', 'email', 'sms', 'webhook'] as const

const dueOf = (kind: DueKind, table: string, column = 'due_at') => `
  SELECT '${kind}' AS kind, count(*) AS count, min(${column}) AS oldest
  FROM ${table} WHERE ${column} <= $1`

/** OFFSET 0 makes it a look-up by key for each such team. */
const STOPPED_ACCOUNTS = `
  SELECT a.id FROM team t
  CROSS JOIN LATERAL (SELECT id FROM account WHERE team_id = t.id OFFSET 0) a
  WHERE ${IS_STOPPED}`

/** What waits because its endpoint is paused, or its team stopped, is no backlog. */
const HELD_QUEUES: Readonly<Record<DeliveryChannel, string>> = {
  email: STOPPED_ACCOUNTS,
  sms: STOPPED_ACCOUNTS,
  webhook: PAUSED_ENDPOINTS,
}

/** A delivery that is being sent still has its due time, and a lease. */
const dueDeliveriesOf = (channel: DeliveryChannel) => `
  SELECT '${channel}' AS kind, count(*) AS count, min(due_at) AS oldest
  FROM delivery
  WHERE channel = '${channel}' AND due_at <= $1
    AND (leased_until IS NULL OR leased_until <= $1)
    AND lane NOT IN (${HELD_QUEUES[channel]})`

export const DUE_WORK = [
  `SELECT owed AS kind, count(*) AS count, min(due_at) AS oldest
  FROM transaction WHERE due_at <= $1 GROUP BY owed`,
  dueOf('batch', 'batch'),
  dueOf('gateway_feed', 'gateway_feed'),
  dueOf('schedule', 'schedule'),
  dueOf('payment_retry', 'invoice'),
  dueOf('clock', 'account', 'clock_due_at'),
  dueOf('replay', 'webhook'),
].join('\nUNION ALL\n')

/**
 * Read separately. An endpoint that has been away for days may have millions of due deliveries, and
 * counting them must not delay the count of payments.
 */
export const DUE_DELIVERIES = [
  dueDeliveriesOf('email'),
  dueDeliveriesOf('sms'),
  dueDeliveriesOf('webhook'),
].join('\nUNION ALL\n')

/** Every kind, in the order of DUE_KINDS, even if nothing is due. */
export async function dueByKind(world: World): Promise<readonly DueRows[]> {
  const [work, deliveries] = await Promise.all([dueWork(world), dueDeliveries(world)])
  const rows = [...work, ...deliveries]
  return DUE_KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind))
}

export function dueWork(world: World): Promise<readonly DueRows[]> {
  const kinds = DUE_KINDS.filter((kind) => !isDeliveryChannel(kind))
  return askDue(world, DUE_WORK, kinds)
}

export function dueDeliveries(world: World): Promise<readonly DueRows[]> {
  return askDue(world, DUE_DELIVERIES, DUE_KINDS.filter(isDeliveryChannel))
}

async function askDue(
  world: World,
  text: string,
  kinds: readonly DueKind[],
): Promise<readonly DueRows[]> {
  const rows = await world.db.query(text, [world.clock.now()])
  return kinds.map((kind) => {
    const row = rows.find((found) => found.kind === kind)
    return { kind, count: Number(row?.count ?? 0), oldestDueAt: row?.oldest ?? null }
  })
}

/** With more of them, the exact number says no more. */
export const MOST_IN_DOUBT = 10_000

/** Not only those that are due: the index has all payments that are under way. */
export const IN_DOUBT = `
  SELECT count(*) AS count FROM (
    SELECT FROM transaction WHERE due_at IS NOT NULL AND owed = 'doubt' LIMIT ${MOST_IN_DOUBT + 1}
  ) doubt`

/** The payments whose gateway is asked what became of them; `MOST_IN_DOUBT` + 1 for more. */
export async function countInDoubt({ db }: World): Promise<number> {
  const [row] = await db.query(IN_DOUBT)
  return Number(row?.count)
}

const parkedDeliveriesOf = (channel: DeliveryChannel) => `
  SELECT '${channel}' AS kind, count(*) AS count
  FROM delivery WHERE channel = '${channel}' AND status = 'parked' AND closed_at IS NULL`

export const PARKED = [
  `SELECT 'payment' AS kind, count(*) AS count
  FROM transaction WHERE parked_at IS NOT NULL`,
  `SELECT 'schedule' AS kind, count(*) AS count
  FROM schedule WHERE parked_reason IS NOT NULL`,
  parkedDeliveriesOf('email'),
  parkedDeliveriesOf('sms'),
  parkedDeliveriesOf('webhook'),
].join('\nUNION ALL\n')

/** Every kind, in the order of PARKED_KINDS. */
export async function parkedByKind(world: World): Promise<readonly AttentionRows[]> {
  const rows = await world.db.query(PARKED)
  return PARKED_KINDS.map((kind) => {
    return { kind, count: Number(rows.find((row) => row.kind === kind)?.count ?? 0) }
  })
}

/** In addition to work that failed for good: work that only a person can continue. */
export type AttentionKind = (typeof PARKED_KINDS)[number] | 'endpoint' | 'dispute'

export interface AttentionRows {
  readonly kind: AttentionKind
  readonly count: number
}

/** Disabled, or since before $1 without a success. */
export const TAKES_NOTHING = `(
    status = 'disabled' OR (paused_at IS NULL AND failing_since <= $1)
  )`

/** Endpoints are few, and their index begins with the account. */
const TO_ATTEND = `
  SELECT 'endpoint' AS kind, count(*) AS count
  FROM account a CROSS JOIN LATERAL (
    SELECT FROM webhook
    WHERE account_id = a.id AND deleted_at IS NULL AND ${TAKES_NOTHING} OFFSET 0
  ) w
  UNION ALL
  SELECT 'dispute', count(*) FROM dispute WHERE closed_at IS NULL AND respond_by IS NOT NULL`

/** An endpoint that has failed since then needs the attention of an operator. */
export function longFailing({ clock }: World): Date {
  return after(clock.now(), -LONG_FAILING_MS)
}

/** All rows that need the attention of an operator. */
export async function attentionByKind(world: World): Promise<readonly AttentionRows[]> {
  const [parked, rows] = await Promise.all([
    parkedByKind(world),
    world.db.query(TO_ATTEND, [longFailing(world)]),
  ])
  return [...parked, ...rows.map(({ kind, count }) => ({ kind, count: Number(count) }))]
}
