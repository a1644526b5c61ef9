// The first run of a new start: at this very instant, where the clock of an account stands still, or
// as the last one of a day that has run.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { MORNING, openSchedules, runsOf, type TestSchedules } from '../support/schedules.ts'

const DAYS = ['2026-01-17T12:00:00.000Z', '2026-01-18T12:00:00.000Z', '2026-01-19T12:00:00.000Z']

const THREE_DAYS = { rule: 'FREQ=DAILY;COUNT=3', start: MORNING }

let schedules: TestSchedules
beforeAll(async () => {
  schedules = await openSchedules()
})
afterAll(() => schedules.close())

const runAt = (instant: string) => {
  schedules.clock.at = new Date(instant)
  return runDueSchedules(schedules.service.world)
}

it.each([
  ['of a schedule that goes on', { status: 'active' }],
  ['of one that is resumed with it', { status: 'paused' }],
])('is the first run, as at creation, %s', async (_, before) => {
  schedules.clock.at = new Date(MORNING)
  const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: '2026-02-01', ...before })
  const { body } = await schedules.put(id, { ...THREE_DAYS, status: 'active' })
  expect(body).toMatchObject({ next_run_at: MORNING, future_occurrences: DAYS })
  for (const day of DAYS) await runAt(day)
  expect(await runsOf(schedules, id)).toEqual(DAYS.map((day) => [day, true]))
  expect(await schedules.get(id)).toMatchObject({ count: 3, next_run_at: null })
})

it.each([
  ['once a day', 'FREQ=DAILY', DAYS[1]],
  ['every hour', 'FREQ=HOURLY', '2026-01-17T13:00:00.000Z'],
])('runs no second time if its run is made already: %s', async (_, rule, next) => {
  schedules.clock.at = new Date(MORNING)
  const { id } = await schedules.made({ rule: 'FREQ=HOURLY', start: MORNING, timezone: 'UTC' })
  await runAt(MORNING)
  const { body } = await schedules.put(id, { rule, start: '2026-01-17T12:00:00+00:00' })
  expect(body).toMatchObject({ count: 1, next_run_at: next })
})

it.each([
  ['every hour', 'FREQ=HOURLY;COUNT=3', '2026-01-17T23:10:00.000Z'],
  ['twice an hour', 'FREQ=HOURLY;BYMINUTE=10,40;COUNT=3', '2026-01-17T23:40:00.000Z'],
  ['every quarter of an hour', 'FREQ=MINUTELY;INTERVAL=15;COUNT=3', '2026-01-17T23:45:00.000Z'],
])(
  'runs on a day that has run, where it is the last one of that day: %s',
  async (_, rule, start) => {
    schedules.clock.at = new Date(MORNING)
    const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: MORNING, timezone: 'UTC' })
    await runAt(MORNING)
    const { body } = await schedules.put(id, { rule, start })
    expect(body).toMatchObject({ next_run_at: start, future_occurrences: { length: 3 } })
  },
)

it('runs no second time on a day that has run, every 24 hours', async () => {
  schedules.clock.at = new Date(MORNING)
  const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: MORNING, timezone: 'UTC' })
  await runAt(MORNING)
  const rule = 'FREQ=HOURLY;INTERVAL=24'
  const { body } = await schedules.put(id, { rule, start: '2026-01-17T23:10:00.000Z' })
  expect(body).toMatchObject({ next_run_at: '2026-01-18T23:10:00.000Z' })
})

it.each([
  ['whose run of that day is excepted', 'FREQ=DAILY;BYHOUR=12,18', '20260117T120000'],
  ['whose other time of that day is excepted', 'FREQ=DAILY;BYHOUR=9,18', '20260117T090000'],
])('of several times a day, still runs on a day that has run: one %s', async (_, rule, except) => {
  schedules.clock.at = new Date(MORNING)
  const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: MORNING, timezone: 'UTC' })
  await runAt(MORNING)
  const { body } = await schedules.put(id, { rule: `RRULE:${rule}\nEXDATE:${except}` })
  expect(body).toMatchObject({ next_run_at: '2026-01-17T18:00:00.000Z' })
})
