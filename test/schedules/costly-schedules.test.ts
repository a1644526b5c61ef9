// Schedules whose rules were stored before there were limits, and cost more than any rule may now:
// they delay no other schedule's run, and no reading or list.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkAttention } from '../../src/doctor/check-work.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { COSTLY_RULES, EVERY_DAY, EVERY_QUARTER, NEVER_BY_ITSELF } from '../support/costly-rules.ts'
import { expectRefusal } from '../support/requests.ts'
import {
  copySchedule,
  MORNING,
  openSchedules,
  PATH,
  runsOf,
  schedulesOfAnother,
  type TestSchedules,
} from '../support/schedules.ts'
import { watchBlocking } from '../support/watch-blocking.ts'

const DUE = '2026-01-17T14:00:00.000Z'

/** As long as a process may delay all others. */
const MOST_BLOCKED_MS = 250

const COUNTED = `RRULE:FREQ=YEARLY;COUNT=1000000;BYDAY=${EVERY_DAY};${EVERY_QUARTER};BYSETPOS=366`

describe('schedules that are expensive to continue', () => {
  let schedules: TestSchedules
  let other: TestSchedules

  beforeAll(async () => {
    schedules = await openSchedules()
    other = await schedulesOfAnother(schedules)
  })
  afterAll(() => schedules.close())

  const query = (text: string, ...values: unknown[]) =>
    schedules.service.world.db.query(text, values)

  /** A schedule as the earlier version made it. */
  async function madeBefore(rule: string, endAt: string | null): Promise<string> {
    const { id } = await schedules.made()
    await query(
      'UPDATE schedule SET rule = $2, end_at = $3, outlook = NULL WHERE id = $1',
      id,
      rule,
      endAt,
    )
    return id
  }

  async function runAt(at: string): Promise<number> {
    schedules.clock.at = new Date(at)
    return runDueSchedules(schedules.service.world)
  }

  it('run when due, delay no other, and are parked if their next run is not found', async () => {
    const costly = []
    for (let i = 0; i < 25; i += 1) costly.push(await madeBefore(NEVER_BY_ITSELF, '2031-12-26'))
    // The round finds it among the others of the same instant, in any position.
    const fine = await other.made()
    for (let i = 0; i < 3; i += 1) costly.push(await madeBefore(COUNTED, '2199-01-01'))
    const watch = watchBlocking()
    expect(await runAt(DUE)).toBe(29)
    expect(watch.end()).toBeLessThan(MOST_BLOCKED_MS)
    expect(await runsOf(other, fine.id)).toEqual([[DUE, true]])
    expect((await other.get(fine.id)).status).toBe('active')
    for (const id of costly) expect(await runsOf(schedules, id)).toEqual([[DUE, true]])
    const [parked] = costly
    const rows = await query(
      'SELECT parked_reason, status, due_at FROM schedule WHERE id = $1',
      parked,
    )
    expect(rows).toEqual([{ parked_reason: 'rule_too_complex', status: 'paused', due_at: null }])
    expect(await runAt('2026-01-18T14:00:00.000Z')).toBeGreaterThan(0)
    expect(await runsOf(other, fine.id)).toHaveLength(2)
    const [finding] = await findingsOf(checkAttention, schedules.service.world)
    expect(finding).toMatchObject({ state: 'fault', says: expect.stringMatching(/^25 schedules /) })
  })

  it('that are parked go on with a simpler rule, and not without one', async () => {
    schedules.clock.at = new Date(MORNING)
    const id = await madeBefore(NEVER_BY_ITSELF, '2031-12-26')
    await runAt(DUE)
    expectRefusal(await schedules.put(id, { status: 'active' }), 400, 'rule_too_complex', ['rule'])
    const changed = await schedules.put(id, {
      rule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0',
      status: 'active',
    })
    expect(changed.body).toMatchObject({
      status: 'active',
      next_run_at: '2026-01-18T14:00:00.000Z',
    })
    const rows = await query('SELECT parked_reason FROM schedule WHERE id = $1', id)
    expect(rows).toEqual([{ parked_reason: null }])
  })

  it.each([
    ['never due by itself', NEVER_BY_ITSELF, '2031-12-26'],
    ['counted to a million', COUNTED, '2199-01-01'],
    [
      'counted to a million, with a date after',
      `${COUNTED}\nRDATE:21980101T090000`,
      '2198-01-01T14:00Z',
    ],
  ])('are shown, listed and changed at once: %s', async (_, rule, endAt) => {
    schedules.clock.at = new Date(MORNING)
    const own = await schedulesOfAnother(schedules)
    const { id } = await own.made()
    const text = 'UPDATE schedule SET rule = $2, end_at = $3, outlook = NULL WHERE id = $1'
    await query(text, id, rule, endAt)
    await copySchedule(own, id, 99)
    const watch = watchBlocking()
    expect((await own.get(id)).future_occurrences[0]).toBe(DUE)
    const { body } = await own.ask('GET', `${PATH}?limit=200`)
    expect(body.data).toHaveLength(100)
    expect((await own.put(id, { total: 3 })).status).toBe(200)
    expect(watch.end()).toBeLessThan(MOST_BLOCKED_MS)
  })
})

describe('a rule that is too expensive is refused at once', () => {
  let schedules: TestSchedules

  beforeAll(async () => {
    schedules = await openSchedules()
  })
  afterAll(() => schedules.close())

  it.each(COSTLY_RULES)('%s', async (_, rule) => {
    const { id } = await schedules.made()
    const sent = { total: 1, rule, customer_id: schedules.customer, start: '2026-02-01T09:00:00' }
    const watch = watchBlocking()
    expectRefusal(await schedules.ask('POST', PATH, sent), 400, 'rule_too_complex', ['rule'])
    expectRefusal(await schedules.put(id, { rule }), 400, 'rule_too_complex', ['rule'])
    expect(watch.end()).toBeLessThan(MOST_BLOCKED_MS)
  })
})
