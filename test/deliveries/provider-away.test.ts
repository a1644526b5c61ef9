// A provider is away, or asks for a pause: no message suffers, the provider gets few requests, and
// all messages go when it is back.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SendAnswer } from '../../src/core/delivery.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/time-units.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import type { World } from '../../src/world.ts'
import { adapterOf, insertDue, TAKEN, tally } from '../support/deliveries.ts'
import { movableClock } from '../support/end-windows.ts'
import { type Further, openFurther } from '../support/further.ts'
import { soon } from '../support/soon.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const PROCESSES = 2
const MESSAGES = 60

const AWAY: SendAnswer = { kind: 'away', detail: 'connect ECONNREFUSED' }

const LONG_TEST = { timeout: 90_000 }

describe('a provider', () => {
  const clock = movableClock()
  let service: TestService
  let further: readonly Further[]
  let worlds: readonly World[]
  let accounts: readonly string[]
  let answer: (id: string) => SendAnswer
  /** The requests that it got, and when. */
  let asked: { readonly id: string; readonly at: Date }[] = []
  const adapter = adapterOf(({ id }) => {
    asked.push({ id, at: clock.now() })
    return answer(id)
  })

  beforeAll(async () => {
    service = await openTestService({ queues: [], clock })
    const more = Array.from({ length: PROCESSES - 1 }, () => openFurther(service))
    further = await Promise.all(more)
    worlds = [service.world, ...further.map(({ world }) => world)]
    const merchants = [await service.merchant(), await service.merchant()]
    accounts = merchants.map(({ accountId }) => accountId)
  })
  afterAll(async () => {
    for (const one of further) await one[Symbol.asyncDispose]()
    await service.close()
  })
  beforeEach(async () => {
    await query('DELETE FROM delivery')
    // The provider of the test before is long forgotten.
    answer = () => TAKEN
    clock.move(DAY)
    await oweAll(1)
    await rounds()
    expect(await tally(query)).toEqual({ sent: accounts.length })
    await query('DELETE FROM delivery')
    asked = []
  })

  const query: TestService['world']['db']['query'] = (text, values) =>
    service.world.db.query(text, values)

  async function oweAll(each: number): Promise<void> {
    for (const accountId of accounts) {
      await insertDue(query, { accountId, channel: 'email', count: each, dueAt: clock.now() })
    }
  }

  /**
   * Sends what is due now, in all processes at once. A round that takes long hands over to the
   * next.
   */
  async function rounds(): Promise<void> {
    const sent = await Promise.all(worlds.map((world) => deliverDue(world, adapter)))
    if (sent.some((count) => count > 0)) await rounds()
  }

  /** Time passes, and the sweep prompts. */
  async function runFor(ms: number, stepMs: number): Promise<void> {
    for (let lived = 0; lived < ms; lived += stepMs) {
      clock.move(stepMs)
      await rounds()
    }
  }

  it(
    'that is down for an hour is tried now and then, and no message loses a try',
    LONG_TEST,
    async () => {
      await oweAll(MESSAGES / 2)
      answer = () => AWAY
      await rounds()
      await runFor(HOUR, 30 * SECOND)
      expect(await tally(query)).toEqual({ pending: MESSAGES })
      const [row] = await query('SELECT max(tries) AS tries FROM delivery')
      expect(row).toEqual({ tries: 0 })
      // It is tried now and then, since nothing else shows that it is back.
      expect(asked.length).toBeGreaterThan(10)
      expect(asked.length).toBeLessThan(2 * MESSAGES)
      answer = () => TAKEN
      await runFor(10 * MINUTE, 30 * SECOND)
      expect(await tally(query)).toEqual({ sent: MESSAGES })
      expect(await query('SELECT DISTINCT tries FROM delivery')).toEqual([{ tries: 1 }])
    },
  )

  it('that is down for four days leaves its messages parked as expired', LONG_TEST, async () => {
    await oweAll(MESSAGES / 2)
    answer = () => AWAY
    await rounds()
    await runFor(2 * DAY + 22 * HOUR, 2 * HOUR)
    expect(await tally(query)).toEqual({ pending: MESSAGES })
    await runFor(DAY, 15 * MINUTE)
    expect(await tally(query)).toEqual({ 'parked expired': MESSAGES })
    const before = asked.length
    await runFor(HOUR, 5 * MINUTE)
    expect(asked.length).toBe(before)
  })

  it('that is back after four days sends nothing that is outdated', LONG_TEST, async () => {
    const many = 5 * MESSAGES
    await oweAll(many / 2)
    answer = () => AWAY
    await rounds()
    await runFor(4 * DAY, 2 * HOUR)
    answer = () => TAKEN
    await runFor(10 * MINUTE, 30 * SECOND)
    // A process that a busy machine held up has its messages under lease for a while.
    await soon(async () => {
      await runFor(30 * SECOND, 30 * SECOND)
      expect(await tally(query)).toEqual({ 'parked expired': many })
    })
  })

  it('that asks for a pause gets it from all processes', LONG_TEST, async () => {
    await oweAll(MESSAGES / 2)
    const waitMs = MINUTE
    answer = () => ({ kind: 'throttled', detail: '421 too many messages', waitMs })
    await rounds()
    const first = asked.length
    // These were being sent when it asked.
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThanOrEqual(PROCESSES * adapter.atOnce)
    const saidAt = asked.at(-1)?.at.getTime() ?? 0
    answer = () => TAKEN
    await runFor(50 * SECOND, 5 * SECOND)
    expect(asked.length).toBe(first)
    await runFor(MINUTE, 5 * SECOND)
    expect(await tally(query)).toEqual({ sent: MESSAGES })
    const again = asked[first]?.at.getTime() ?? 0
    expect(again - saidAt).toBeGreaterThanOrEqual(waitMs)
    expect(await query('SELECT DISTINCT tries FROM delivery')).toEqual([{ tries: 1 }])
  })

  it('that refuses one message counts as well: the others go', LONG_TEST, async () => {
    await oweAll(MESSAGES / 2)
    const [bad] = await query('SELECT id FROM delivery ORDER BY due_at, id LIMIT 1')
    answer = (id) =>
      id === bad?.id ? { kind: 'refused', reason: 'refused', detail: '550 no such user' } : TAKEN
    await rounds()
    expect(await tally(query)).toEqual({ sent: MESSAGES - 1, 'parked refused': 1 })
  })
})
