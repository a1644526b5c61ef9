// Schedules of an account with its own clock: only the advance of that clock runs them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAnythingDue, nextScheduled } from '../../src/schedules/find-due.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import {
  openSchedules,
  runsOf,
  schedulesOfAnother,
  type TestSchedules,
} from '../support/schedules.ts'

const NOON = '2031-05-05T12:00:00.000Z'
const ONE = new Date('2031-05-05T13:00:00.000Z')

describe('the schedules of an account with a clock of its own', () => {
  let real: TestSchedules
  let own: TestSchedules

  beforeAll(async () => {
    real = await openSchedules()
    own = await schedulesOfAnother(real)
    await query('UPDATE account SET clock_at = $2 WHERE id = $1', own.merchant.accountId, NOON)
  })
  afterAll(() => real.close())

  const query = (text: string, ...values: unknown[]) => real.service.world.db.query(text, values)
  const run = (now: Date, accountId = own.merchant.accountId) =>
    runDueSchedules(real.service.world, { accountId, now })
  const next = () => nextScheduled(real.service.world.db.query, own.merchant.accountId)

  it('show the instant at which they fall due', async () => {
    expect(await next()).toBeUndefined()
    await own.made({ rule: 'FREQ=WEEKLY;BYHOUR=10;BYMINUTE=0' })
    const { id } = await own.made()
    expect(await next()).toEqual(ONE)
    await own.put(id, { active: false })
    expect((await next())?.getTime()).toBeGreaterThan(ONE.getTime())
  })

  it('run at the instant of that clock, and not in real time', async () => {
    const { id } = await own.made()
    real.clock.at = new Date('2031-05-06T00:00:00.000Z')
    expect(await isAnythingDue(real.service.world)).toBe(false)
    expect(await runDueSchedules(real.service.world)).toBe(0)
    expect(await run(new Date(ONE.getTime() - 1))).toBe(0)
    expect(await run(ONE, real.merchant.accountId)).toBe(0)
    await query('UPDATE account SET clock_at = $2 WHERE id = $1', own.merchant.accountId, ONE)
    expect(await run(ONE)).toBe(1)
    expect(await runsOf(own, id)).toEqual([[ONE.toISOString(), true]])
    const [payment] = await query(
      'SELECT created_at, due_at, deadline_at FROM transaction WHERE schedule_id = $1',
      id,
    )
    const { timings, config } = real.service.world
    expect(payment).toEqual({
      created_at: ONE,
      due_at: new Date(real.clock.at.getTime() + timings.nudgeGraceMs),
      deadline_at: new Date(ONE.getTime() + config.pendingDeadlineMs),
    })
    expect(await own.get(id)).toMatchObject({
      last_run_at: ONE.toISOString(),
      next_run_at: '2031-05-06T13:00:00.000Z',
    })
    expect(await query('SELECT due_at FROM schedule WHERE id = $1', id)).toEqual([{ due_at: null }])
  })

  it('wait if the team is not active, and delay no other', async () => {
    const team = own.merchant.teamId
    await query("UPDATE team SET status = 'inactive' WHERE id = $1", team)
    expect(await run(new Date('2031-06-05T13:00:00.000Z'))).toBe(0)
    expect(await next()).toBeUndefined()
    await query("UPDATE team SET status = 'active' WHERE id = $1", team)
    expect(await next()).toBeDefined()
  })

  it('in real time are due as soon as their instant has come', async () => {
    real.clock.at = new Date('2032-01-01T00:00:00.000Z')
    const start = '2032-01-01T00:00:30Z'
    await real.made({ rule: 'FREQ=DAILY', start })
    expect(await isAnythingDue(real.service.world)).toBe(false)
    real.clock.at = new Date(start)
    expect(await isAnythingDue(real.service.world)).toBe(true)
    expect(await runDueSchedules(real.service.world)).toBe(1)
    expect(await isAnythingDue(real.service.world)).toBe(false)
  })
})
