// A gateway that is away for longer than the deadline: its payments wait for a person, unless it is
// back while it still keeps their keys.

import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOUR } from '../../src/core/time-units.ts'
import type { StripeRequest } from '../stripe/stand-in/faults.ts'
import { type LiveService, openLiveService } from './live-service.ts'

let offsetMs: number
let live: LiveService
let card: string

beforeEach(async () => {
  offsetMs = 0
  live = await openLiveService({
    clock: { now: () => new Date(Date.now() + offsetMs) },
    queues: ['charge', 'doubt', 'sweep'],
  })
  card = await live.method('pm_card_visa')
})
afterEach(() => live[Symbol.asyncDispose]())

async function pass(ms: number): Promise<void> {
  offsetMs += ms
  await live.stripe.advance(ms)
}

/** A charge whose request or answer is lost, as every request is until its deadline is over. */
async function parkedCharge(isMade: boolean): Promise<string> {
  const isOrder = ({ idempotencyKey, path }: StripeRequest) =>
    path === '/v1/payment_intents' && idempotencyKey?.endsWith(':create') === true
  let orders = 0
  live.stripe.fault((request) => {
    if (isOrder(request)) orders += 1
    return { kind: 'cut', isExecuted: isMade && isOrder(request) && orders === 1 }
  })
  const { body } = await live.post('/charge', { total: 20, payment_method_id: card })
  await expect.poll(() => orders).toBeGreaterThan(0)
  await pass(4 * HOUR)
  await sweptUntil(body.id, ({ parkedAt }) => parkedAt !== null)
  live.stripe.fault()
  return body.id
}

type Row = NonNullable<Awaited<ReturnType<typeof rowOf>>>

function rowOf(id: string) {
  return live.service.world.db.prisma.transaction.findFirst({ where: { id } })
}

async function sweptUntil(id: string, isSo: (row: Row) => boolean): Promise<void> {
  const look = async () => {
    await live.service.world.queues.ensureRound('sweep')
    const row = await rowOf(id)
    return row !== null && isSo(row)
  }
  await expect.poll(look, { timeout: 20_000 }).toBe(true)
}

it.each([
  ['because of its limit', 'rate limit'],
  ['since another request is under way', 'lock timeout'],
] as const)('waits for no person if Stripe refuses the last question %s', async (_, kind) => {
  live.stripe.fault(() => ({ kind: 'cut', isExecuted: false }))
  const { body } = await live.post('/charge', { total: 20, payment_method_id: card })
  await sweptUntil(body.id, ({ owed }) => owed === 'doubt')
  let refusals = 0
  live.stripe.fault(({ method }) => {
    // A payment in doubt is looked up by GET until its deadline, and then given up.
    if (method === 'POST') refusals += 1
    return { kind }
  })
  await pass(4 * HOUR)
  await sweptUntil(body.id, ({ parkedAt }) => refusals > 2 || parkedAt !== null)
  expect(await rowOf(body.id)).toMatchObject({ status: 'PENDING', parkedAt: null })
  live.stripe.fault()
  await sweptUntil(body.id, ({ status }) => status === 'FAILED')
  expect(live.stripe.ledger().filter(({ isPaid }) => isPaid)).toEqual([])
})

it.each([
  [true, 'SUCCESS'],
  [false, 'FAILED'],
])('is asked again hours later: made at all: %s → %s', async (isMade, status) => {
  const id = await parkedCharge(isMade)
  await pass(3 * HOUR)
  await sweptUntil(id, (row) => row.status === status)
  const taken = live.stripe.ledger().filter(({ kind }) => kind === 'capture')
  expect(taken).toHaveLength(isMade ? 1 : 0)
})

it('is asked once a day afterwards, since only a person can decide it then', async () => {
  const id = await parkedCharge(false)
  const first = (await rowOf(id))?.parkedAt ?? new Date(0)
  await pass(24 * HOUR)
  await sweptUntil(id, ({ parkedAt }) => parkedAt !== null && parkedAt > first)
  const asked = live.stripe.requests.length
  await pass(20 * HOUR)
  await live.service.world.queues.ensureRound('sweep')
  expect(await rowOf(id)).toMatchObject({ status: 'PENDING', parkedAt: expect.any(Date) })
  expect(live.stripe.requests).toHaveLength(asked)
})
