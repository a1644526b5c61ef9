// The number of runs that an advance may cause: more are refused before anything moves, and are
// counted without listing them.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countOccurrences, occurrencesAfter } from '../../src/core/recurrence.ts'
import { DAY } from '../../src/core/time-units.ts'
import { toBeTriedAgain } from '../support/invoices.ts'
import { taken } from '../support/recurrences.ts'
import { expectRefusal } from '../support/requests.ts'
import { advanceHere, setClock } from '../support/sandbox-clock.ts'
import {
  copySchedule,
  openSchedules,
  schedulesOfAnother,
  type TestSchedules,
} from '../support/schedules.ts'
import { watchBlocking } from '../support/watch-blocking.ts'

const CLOCK = '/sandbox/clock'
const START = '2026-01-18T00:00:00.000Z'
const QUARTER = 15 * 60_000
const EVERY_QUARTER = { rule: 'FREQ=MINUTELY;INTERVAL=15', start: START }

/** The instant of the run with this number since the start. */
const ofRun = (runs: number) => new Date(Date.parse(START) + (runs - 1) * QUARTER).toISOString()

describe('an advance of a clock', () => {
  let first: TestSchedules
  let schedules: TestSchedules

  beforeAll(async () => {
    first = await openSchedules()
  })
  afterAll(() => first.close())
  beforeEach(async () => {
    schedules = await schedulesOfAnother(first)
  })

  const advance = (now: string) => setClock(schedules, now)
  const query = (text: string, ...values: unknown[]) =>
    schedules.service.world.db.query(text, values)

  async function expectTooLarge(now: string): Promise<void> {
    const state = 'SELECT clock_at, clock_target FROM account WHERE id = $1'
    const before = await query(state, schedules.merchant.accountId)
    const began = process.cpuUsage()
    expectRefusal(await advance(now), 400, 'clock_advance_too_large')
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(250)
    expect(await query(state, schedules.merchant.accountId)).toEqual(before)
  }

  it('may cause 100,000 runs, and no more', async () => {
    await schedules.made(EVERY_QUARTER)
    await expectTooLarge(ofRun(100_001))
    const { status, body } = await advance(ofRun(100_000))
    expect({ status, state: body.status }).toEqual({ status: 202, state: 'advancing' })
  })

  it('may cause as many for all schedules together', async () => {
    for (let i = 0; i < 4; i += 1) await schedules.made(EVERY_QUARTER)
    await expectTooLarge(ofRun(25_001))
    expect((await advance(ofRun(25_000))).status).toBe(202)
  })

  it('counts the runs of rules with days and times', async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => hour).join()
    const rule = `FREQ=DAILY;BYHOUR=${hours};BYMINUTE=0,15,30,45`
    await schedules.made({ rule, start: START, timezone: 'UTC' })
    await expectTooLarge(ofRun(100_001))
    expect((await advance(ofRun(100_000))).status).toBe(202)
  })

  it('counts retried payments with them', async () => {
    await schedules.made(EVERY_QUARTER)
    const bill = { total: 1, customer_id: schedules.customer, payment_method_id: schedules.card }
    const { body } = await schedules.ask('POST', '/invoice', bill)
    await toBeTriedAgain(schedules.service, body.id, new Date(START), { isInRealTime: true })
    await expectTooLarge(ofRun(100_000))
    expect((await advance(ofRun(99_999))).status).toBe(202)
  })

  it('counts the runs of the last 24 hours of real time with them, and no older ones', async () => {
    const { id } = await schedules.made(EVERY_QUARTER)
    await advanceHere(schedules, ofRun(10))
    await expectTooLarge(ofRun(100_001))
    // Also if that schedule runs no more.
    await schedules.ask('DELETE', `/invoice/schedule/${id}`)
    await schedules.made({ ...EVERY_QUARTER, start: ofRun(11) })
    await expectTooLarge(ofRun(100_001))
    const { clock } = schedules
    const asItWas = clock.at
    // Ids hold the time of the host.
    clock.at = new Date(Date.now() + DAY)
    const { status } = await advance(ofRun(100_001))
    clock.at = asItWas
    expect(status).toBe(202)
  })

  it('may copy half a gigabyte of `meta`, of schedules and of their customers', async () => {
    const meta = { note: randomBytes(8_000).toString('base64') }
    const { id } = await schedules.made({ ...EVERY_QUARTER, meta })
    const { body } = await advance(ofRun(10_000))
    expect(body).toMatchObject({ error: 'clock_advance_too_large' })
    expect(body.message).toMatch(
      /^the advance would write more than 500 MB within 24 hours, .*`meta`.*: advance in smaller steps$/,
    )
    await schedules.put(id, { meta: {} })
    await schedules.ask('PUT', `/customer/${schedules.customer}`, { meta })
    await expectTooLarge(ofRun(30_000))
    expect((await advance(ofRun(10_000))).status).toBe(202)
  })

  it.each([
    ['all', false],
    ['one', true],
    ['skip', true],
  ])('counts missed runs by missed_runs=%s', async (missed_runs, isFew) => {
    const { id } = await schedules.made({ ...EVERY_QUARTER, missed_runs })
    // There are three years of missed runs.
    const back =
      "UPDATE schedule SET anchor = '2023-01-18T00:00:00', next_run_at = $2 WHERE id = $1"
    await query(back, id, '2023-01-18T00:00:00Z')
    if (isFew) expect((await advance(ofRun(10))).status).toBe(202)
    else await expectTooLarge(ofRun(10))
  })

  it('counts no paused schedule, and no more than COUNT for one that ends', async () => {
    const { id } = await schedules.made(EVERY_QUARTER)
    await schedules.made({ ...EVERY_QUARTER, rule: `${EVERY_QUARTER.rule};COUNT=10` })
    await schedules.put(id, { active: false })
    expect((await advance(ofRun(300_000))).status).toBe(202)
  })

  it('to an instant that is too far ahead is refused before its runs are counted', async () => {
    for (let i = 0; i < 2; i += 1) await schedules.made({ rule: 'FREQ=DAILY' })
    const { status, body } = await advance('2200-01-01T00:00:00Z')
    const message = 'now must be at most ten years ahead'
    expect({ status, message: body.message }).toEqual({ status: 400, message })
  })

  describe('with rules that take many steps for each run', () => {
    const LEAP_DAY = 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29'
    const IN_TEN_YEARS = '2036-01-01T00:00:00.000Z'

    async function madeTimes(count: number, rule: string): Promise<void> {
      const { id } = await schedules.made({ rule, start: '2026-01-18T00:00:00' })
      await copySchedule(schedules, id, count - 1)
    }

    it('is counted while others are served, and refused if that takes too long', async () => {
      await madeTimes(2_000, LEAP_DAY)
      const watch = watchBlocking()
      const began = process.cpuUsage()
      expectRefusal(await advance(IN_TEN_YEARS), 400, 'clock_advance_too_large')
      expect(process.cpuUsage(began).user / 1_000).toBeLessThan(4_000)
      expect(watch.end()).toBeLessThan(250)
      expect((await advance('2026-12-01T00:00:00.000Z')).status).toBe(202)
    })

    it('is counted once at a time for an account, and refused beside that', async () => {
      await madeTimes(2_000, LEAP_DAY)
      const cpuMs = () => process.cpuUsage().user / 1_000
      const began = cpuMs()
      const one = await advance(IN_TEN_YEARS)
      const ofOne = cpuMs() - began
      const answers = await Promise.all(Array.from({ length: 40 }, () => advance(IN_TEN_YEARS)))
      const ofForty = cpuMs() - began - ofOne
      // Forty counts would take as long as forty of it.
      expect(ofForty).toBeLessThan(ofOne * 10)
      const codes = answers.map(({ body }) => body.error)
      expect(codes.filter((code) => code === one.body.error)).toHaveLength(1)
      expect(codes.filter((code) => code === 'clock_advancing')).toHaveLength(39)
      // Nothing of it is left: the next one is counted.
      expect((await advance('2026-12-01T00:00:00.000Z')).status).toBe(202)
    })

    it('is begun if there are few of them', async () => {
      await madeTimes(200, LEAP_DAY)
      expect((await advance(IN_TEN_YEARS)).status).toBe(202)
    })

    it('counts the dates that are to be read', async () => {
      const dates = Array.from({ length: 900 }, (_, day) =>
        new Date(Date.UTC(2026, 2, 1 + day)).toISOString().replace(/-|T.*/g, ''),
      )
      await madeTimes(300, `RRULE:FREQ=YEARLY\nEXDATE;VALUE=DATE:${dates.join()}`)
      expectRefusal(await advance(IN_TEN_YEARS), 400, 'clock_advance_too_large')
    })
  })

  it('from the first year returns to real time with no more runs, and delays no other request', async () => {
    const early = await schedulesOfAnother(first)
    expect((await setClock(early, '1970-01-01')).status).toBe(200)
    const hours = Array.from({ length: 24 }, (_, hour) => hour).join()
    await early.made({ rule: EVERY_QUARTER.rule })
    await early.made({ rule: `FREQ=DAILY;BYHOUR=${hours};BYMINUTE=0,15,30,45;BYSETPOS=1` })
    const watch = watchBlocking()
    expectRefusal(await early.ask('DELETE', CLOCK), 400, 'clock_advance_too_large')
    expect(watch.end()).toBeLessThan(250)
  })
})

describe('occurrences are counted as they are listed', () => {
  it.each([
    'FREQ=DAILY',
    'FREQ=MONTHLY;BYDAY=-1FR',
    'FREQ=DAILY;BYHOUR=1,2,3,9',
    'FREQ=HOURLY;INTERVAL=5',
    'FREQ=HOURLY;INTERVAL=3;BYMINUTE=0,20,50',
    'FREQ=MINUTELY;INTERVAL=25;BYMINUTE=0,15,30;BYDAY=MO,SA',
    'FREQ=MINUTELY;INTERVAL=20;BYDAY=MO,SA',
    'FREQ=WEEKLY;BYDAY=TU,TH;COUNT=40',
    'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR',
    'FREQ=DAILY;UNTIL=20260601',
    'RRULE:FREQ=DAILY\nEXDATE:20260201T090000\nRDATE:20260202T150000,20260203T160000',
  ])('%s', (rule) => {
    const recurrence = taken(rule, '2026-01-05T09:00:00')
    const after = new Date('2026-01-20T12:00:00Z')
    const all = occurrencesAfter(recurrence, after, 10_000)
    for (const until of [
      after,
      new Date('2026-02-11T14:00:00Z'),
      new Date('2026-10-20T00:00:00Z'),
    ]) {
      const listed = all.filter((at) => at <= until).length
      // In a night whose clocks change, the times of a day may come once less or more.
      const most = rule.includes('BYHOUR') ? 4 : 0
      const counted = countOccurrences(recurrence, { after, until }, 100_000, () => {})
      expect(Math.abs(counted - listed)).toBeLessThanOrEqual(most)
    }
  })
})
