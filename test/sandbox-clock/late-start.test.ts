// A schedule whose start no rule may have any more, as an earlier version stored it.

import { expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { advanceHere, clockOf, setClock } from '../support/sandbox-clock.ts'
import { openSchedules, runsOf } from '../support/schedules.ts'

it('runs once when the clock comes to it, is parked then, and holds up nothing else', async () => {
  await using schedules = await openSchedules()
  const { db } = schedules.service.world
  expect((await setClock(schedules, '2099-01-01T00:00:00Z')).status).toBe(200)
  const daily = { start: '2099-02-01T09:00:00', timezone: 'UTC', rule: 'FREQ=DAILY' }
  const [late, other] = [(await schedules.made(daily)).id, (await schedules.made(daily)).id]
  await db.query("UPDATE account SET clock_at = '2149-12-31' WHERE clock_at IS NOT NULL")
  await db.query("UPDATE schedule SET next_run_at = '2150-01-01T09:00:00Z'")
  await db.query("UPDATE schedule SET anchor = '2150-01-01T09:00:00' WHERE id = $1", [late])
  await advanceHere(schedules, '2150-01-04T00:00:00Z')
  expect(await clockOf(schedules)).toMatchObject({
    status: 'ready',
    now: '2150-01-04T00:00:00.000Z',
  })
  expect(await runsOf(schedules, late)).toEqual([['2150-01-01T09:00:00.000Z', true]])
  expect(await schedules.get(late)).toMatchObject({ status: 'paused', next_run_at: null })
  expect(await db.query('SELECT parked_reason FROM schedule WHERE id = $1', [late])).toEqual([
    { parked_reason: 'rule_too_complex' },
  ])
  expect(await runsOf(schedules, other)).toHaveLength(3)
  expectRefusal(await schedules.put(late, { active: true }), 400, 'rule_too_complex')
})
