// An account's own time, as a merchant sets it.

import { expect } from 'vitest'
import { advanceClock } from '../../src/sandbox-clock/advance-clock.ts'
import type { World } from '../../src/world.ts'
import type { PaymentsApi } from './payments-api.ts'
import { type Answer, call, type Merchant, type TestService } from './test-service.ts'

const PATH = '/sandbox/clock'

type Whose = { readonly service: Pick<TestService, 'app'>; readonly merchant: Merchant }

/** No caller waits for an advance, since most tests have no worker for it. */
export const AT_ONCE = { prefer: 'respond-async' }

export function setClock({ service, merchant }: Whose, now: string | Date): Promise<Answer> {
  const body = { now: now instanceof Date ? now.toISOString() : now }
  return call(service.app, 'POST', PATH, { ...merchant.headers, ...AT_ONCE }, body)
}

export function endClock({ service, merchant }: Whose): Promise<Answer> {
  return call(service.app, 'DELETE', PATH, merchant.headers)
}

export async function clockOf({ service, merchant }: Whose): Promise<Answer['body']> {
  return (await call(service.app, 'GET', PATH, merchant.headers)).body
}

/** Sets it, and waits until workers have advanced it. */
export async function advanceTo(whose: Whose, now: string | Date): Promise<void> {
  const answer = await setClock(whose, now)
  expect(`${answer.status} ${answer.text}`).toMatch(/^20[02] /)
  await untilReady(whose)
}

export async function untilReady(whose: Whose, timeout = 60_000): Promise<void> {
  await expect
    .poll(async () => (await clockOf(whose)).status, { timeout, interval: 20 })
    .toBe('ready')
}

/** The same without a worker: this process advances it. */
export async function advanceHere(
  { service, merchant }: { readonly service: TestService; readonly merchant: Merchant },
  now: string | Date,
): Promise<void> {
  const answer = await setClock({ service, merchant }, now)
  expect(`${answer.status} ${answer.text}`).toMatch(/^20[02] /)
  await takeThere(service.world, merchant)
}

/** Advances it turn by turn, as workers do. */
export async function takeThere(world: World, { accountId }: Merchant): Promise<void> {
  const { signal } = new AbortController()
  for (;;) {
    const verdict = await advanceClock(world, { accountId }, signal, () => {})
    if (verdict.kind !== 'snooze') return
    const waitMs = verdict.until.getTime() - world.clock.now().getTime()
    expect(waitMs, 'another process has the clock').toBeLessThanOrEqual(0)
  }
}

/** The id of a schedule whose invoices of 10.00 are paid with the merchant's card. */
export async function scheduleOf(
  { service, merchant, card }: Pick<PaymentsApi, 'service' | 'merchant' | 'card'>,
  fields: object,
): Promise<string> {
  const sent = await call(service.app, 'GET', `/payment-method/${card}`, merchant.headers)
  const body = { total: 10, customer_id: sent.body.customer_id, payment_method_id: card, ...fields }
  const answer = await call(service.app, 'POST', '/invoice/schedule', merchant.headers, body)
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
  return answer.body.id
}

/** The account's events in their order, with their time by its clock. */
export async function datedEventsOf(
  service: TestService,
  { accountId }: Merchant,
): Promise<readonly string[]> {
  const rows = await service.world.db.query(
    'SELECT created_at, type FROM event WHERE account_id = $1 ORDER BY id',
    [accountId],
  )
  return rows.map((row) => `${row.created_at.toISOString()} ${row.type}`)
}

/** All rows of the account as text, so that any change shows. */
export async function everythingOf(
  service: TestService,
  { accountId }: Merchant,
): Promise<unknown> {
  const all: Record<string, unknown> = {}
  for (const [table, key] of TABLES) {
    const rows = await service.world.db.query(
      `SELECT r::text AS row FROM ${table} r WHERE ${key} = $1 ORDER BY 1`,
      [accountId],
    )
    all[table] = rows.map(({ row }) => row)
  }
  return all
}

const TABLES = [
  ['account', 'id'],
  ['customer', 'account_id'],
  ['payment_method', 'account_id'],
  ['transaction', 'account_id'],
  ['batch', 'account_id'],
  ['schedule', 'account_id'],
  ['schedule_run', 'account_id'],
  ['invoice', 'account_id'],
  ['event', 'account_id'],
  ['sandbox_gateway_payment', 'account_id'],
] as const
