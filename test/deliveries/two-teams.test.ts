// Whatever one team has pending, the receipts and events of another keep their pace.

import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ChannelAdapter } from '../../src/deliveries/channel-adapter.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { adapterOf, insertDue, TAKEN } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const LONG_TEST = { timeout: 60_000 }

/** The limits of the service itself. */
const EMAIL = { channel: 'email', atOnce: 10, perSecond: 500 } as const
const WEBHOOK = {
  channel: 'webhook',
  atOnce: 256,
  atOnceAnEndpoint: 64,
  perSecond: undefined,
  timeoutMs: 15_000,
} as const

/** The other team sends this many at once, in as many bursts. */
const AT_ONCE = 24
const BURSTS = 4
const TAKES_MS = 100

/**
 * The noise of a busy machine, and the 250 ms that the pace hands out ahead: less is not compared.
 */
const FLOOR_MS = 400

/** The waits of this share of the messages are compared, not those of the few slowest. */
const SHARE = 0.99

/** What one team has pending. */
interface Backlog {
  readonly limits: Partial<Omit<ChannelAdapter, 'send'>>
  readonly lanes: number
  readonly ofEach: number
  /** How long each message of that team takes; those that get an answer run without a pause. */
  readonly takesMs: number
  readonly isSilent?: boolean
}

let service: TestService
let over: AbortController
const rounds: Promise<number>[] = []
beforeEach(async () => {
  service = await openTestService({ queues: [] })
  over = new AbortController()
  setMaxListeners(0, over.signal)
})
afterEach(async () => {
  await service.world.db.query('DELETE FROM delivery WHERE due_at IS NOT NULL')
  over.abort()
  await Promise.all(rounds.splice(0))
  await service.close()
})

it.each<[string, Backlog]>([
  [
    'an endpoint that hangs',
    { limits: WEBHOOK, lanes: 1, ofEach: 1_000, takesMs: 15_000, isSilent: true },
  ],
  [
    'twenty endpoints that hang',
    { limits: WEBHOOK, lanes: 20, ofEach: 100, takesMs: 15_000, isSilent: true },
  ],
  [
    'twenty endpoints that answer at last',
    { limits: WEBHOOK, lanes: 20, ofEach: 100, takesMs: 14_000 },
  ],
  ['receipts with long lists of copies', { limits: EMAIL, lanes: 1, ofEach: 3_000, takesMs: 10 }],
])('%s hold up no other team', LONG_TEST, async (_case, backlog) => {
  const teams = await openTeams(backlog)
  const control = await teams.slowestOfOther()
  await teams.fillBacklog()
  const most = Math.max(2 * control, FLOOR_MS)
  // A busy machine only makes waits longer, so the best of three counts.
  const measured: number[] = []
  while (measured.length < 3 && Math.min(...measured, Number.POSITIVE_INFINITY) > most) {
    measured.push(await teams.slowestOfOther())
  }
  expect(Math.min(...measured)).toBeLessThanOrEqual(most)
})

/** A team with this backlog, and another one whose messages answer soon. */
async function openTeams({ limits, lanes, ofEach, takesMs, isSilent }: Backlog) {
  const { world } = service
  const [one, other] = [await service.merchant(), await service.merchant()]
  const { channel = 'email' } = limits
  const laneOf = (accountId: string) => (channel === 'webhook' ? world.newId() : accountId)
  const lane = laneOf(other.accountId)
  const begunMs = new Map<string, number>()
  let ofOne = 0
  const adapter = adapterOf(async ({ id, accountId }) => {
    begunMs.set(id, performance.now())
    const isOfOne = accountId === one.accountId
    if (isOfOne) ofOne += 1
    const ms = isOfOne ? takesMs : TAKES_MS
    await delay(ms, undefined, { signal: over.signal }).catch(() => {})
    return isOfOne && isSilent ? { kind: 'silent', detail: 'no answer' } : TAKEN
  }, limits)
  const start = () => rounds.push(deliverDue(world, adapter))

  /** How long each message of a burst of the other team waits. */
  async function waitsOfBurst(): Promise<readonly number[]> {
    const due = { accountId: other.accountId, channel, lane, count: AT_ONCE, dueAt: new Date() }
    const ids = await insertDue(world.db.query, due)
    const committedMs = performance.now()
    start()
    // A round ends after some seconds, and a job begins the next.
    const next = setInterval(start, 1_000)
    await expect
      .poll(() => ids.every((id) => begunMs.has(id)))
      .toBe(true)
      .finally(() => clearInterval(next))
    return ids.map((id) => (begunMs.get(id) ?? Number.NaN) - committedMs)
  }

  return {
    async slowestOfOther(): Promise<number> {
      const waits: number[] = []
      for (let n = 0; n < BURSTS; n += 1) waits.push(...(await waitsOfBurst()))
      return waits.toSorted((a, b) => a - b)[Math.ceil(waits.length * SHARE) - 1] ?? Number.NaN
    },
    /** Returns once the first of the backlog are on their way. */
    async fillBacklog(): Promise<void> {
      for (let n = 0; n < lanes; n += 1) {
        const due = { accountId: one.accountId, channel, count: ofEach, dueAt: new Date() }
        await insertDue(world.db.query, { ...due, lane: laneOf(one.accountId) })
      }
      start()
      await expect.poll(() => ofOne).toBeGreaterThan(2)
    },
  }
}
