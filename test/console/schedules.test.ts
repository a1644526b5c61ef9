// Schedules on the console: the next runs of all accounts, and the actions on a schedule.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RANGES } from '../../src/console/schedules/timeline.tsx'
import { MINUTE } from '../../src/core/time-units.ts'
import {
  listSchedulesAnywhere,
  type ScheduleStage,
} from '../../src/schedules/schedules-anywhere.ts'
import { type SignedIn, see, seeAfter, seePage, sendForm, signIn } from '../support/operator.ts'
import { openSchedules, schedulesOfAnother, type TestSchedules } from '../support/schedules.ts'
import { call } from '../support/test-service.ts'

let schedules: TestSchedules
let second: TestSchedules
let ada: SignedIn

/** The schedules of the first merchant, by the test's names for them. */
const made = new Map<string, string>()

beforeAll(async () => {
  // It is Saturday, 7 March: the clocks of New York go forward in the night.
  schedules = await openSchedules({ at: '2026-03-07T15:00:00.000Z', backend: 'postgres' })
  second = await schedulesOfAnother(schedules)
  ada = await signIn(schedules.service.world)
  const add = async (name: string, of: TestSchedules, body: object) => {
    made.set(name, (await of.made(body)).id)
  }
  await add('in a week', schedules, { rule: 'FREQ=WEEKLY', start: '2026-03-14T15:00:00Z' })
  await add('daily', schedules, { rule: 'FREQ=DAILY', start: '2026-03-07T16:00:00Z' })
  await add('of another', second, { rule: 'FREQ=DAILY', start: '2026-03-07T15:30:00Z' })
  await add('paused', schedules, { rule: 'FREQ=MONTHLY', start: '2026-04-01T15:00:00Z' })
  await schedules.put(made.get('paused') ?? '', { status: 'paused' })
  await add('deleted', schedules, { rule: 'FREQ=MONTHLY', start: '2026-04-01T15:00:00Z' })
  await schedules.ask('DELETE', `/invoice/schedule/${made.get('deleted')}`)
}, 60_000)
afterAll(() => schedules.close())

const nameOf = (id: string) => [...made].find(([, known]) => known === id)?.[0]

async function listed(stage: ScheduleStage, filters: object = {}) {
  const all = { stage, accountIds: undefined, skip: 0, most: 10, ...filters }
  const found = await listSchedulesAnywhere(schedules.service.world, all)
  return found.map(({ id }) => nameOf(id))
}

const pageAt = async (path: string) => (await seePage(schedules.service.app, path, ada)).html

const pathOf = (name: string, of = schedules) =>
  `/admin/schedules/${of.merchant.accountId}/${made.get(name)}`

describe('the schedules of all accounts', () => {
  it.each([
    ['coming', ['of another', 'daily', 'in a week']],
    ['paused', ['paused']],
    ['deleted', ['deleted']],
    ['finished', []],
    ['overdue', []],
  ] as const)('that are %s', async (stage, expected) => {
    expect(await listed(stage)).toEqual(expected)
  })

  it('are added up for the hours and days ahead', async () => {
    const sumOf = async (range: string) => {
      const body = (await pageAt(`/admin/schedules?range=${range}`)).replace(/<[^>]*>/g, '')
      return /(\d+ runs? for \$[\d.,]+) in all/.exec(body)?.[1]
    }
    // The two daily ones run again within the following day, which has 23 hours.
    expect(await sumOf('day')).toBe('4 runs for $50.00')
    expect(await sumOf('week')).toBe('17 runs for $212.50')
  })

  it('come page by page, with one more row if there are more', async () => {
    expect(await listed('coming', { most: 1 })).toEqual(['of another', 'daily'])
    expect(await listed('coming', { most: 1, skip: 1 })).toEqual(['daily', 'in a week'])
    expect(await listed('coming', { most: 1, skip: 2 })).toEqual(['in a week'])
  })

  it('are those of the accounts in the query', async () => {
    const { accountId } = second.merchant
    expect(await listed('coming', { accountIds: [accountId] })).toEqual(['of another'])
    expect(await listed('paused', { accountIds: [accountId] })).toEqual([])
    expect(await listed('coming', { accountIds: [] })).toEqual([])
  })

  it('are overdue if they did not run, also those of a team that must not charge', async () => {
    const { clock, service } = schedules
    const before = clock.at
    clock.at = new Date('2026-03-07T15:31:00.000Z')
    expect(await listed('overdue')).toEqual([])
    clock.at = new Date('2026-03-07T15:33:00.000Z')
    expect(await listed('overdue')).toEqual(['of another'])
    expect(await listed('overdue', { accountIds: [schedules.merchant.accountId] })).toEqual([])
    // The round puts off a schedule that must wait, and so does the test.
    const again = new Date(clock.at.getTime() + 5 * MINUTE)
    const id = made.get('of another')
    await service.world.db.query('UPDATE schedule SET due_at = $2 WHERE id = $1', [id, again])
    expect(await listed('overdue')).toEqual(['of another'])
    expect(await pageAt('/admin/schedules?state=overdue')).toContain('3 min overdue')
    await service.world.db.query('UPDATE schedule SET due_at = next_run_at WHERE id = $1', [id])
    clock.at = before
  })

  it('of an account with its own clock are ahead by that clock', async () => {
    const own = await schedulesOfAnother(schedules)
    made.set('by its own clock', (await own.made({ start: '2026-03-09T15:00:00Z' })).id)
    const moved = await call(
      schedules.service.app,
      'POST',
      '/sandbox/clock',
      own.merchant.headers,
      {
        now: '2026-03-07T15:00:00Z',
      },
    )
    expect(moved.status).toBe(200)
    expect(await listed('coming')).toEqual(['of another', 'daily', 'by its own clock', 'in a week'])
    const page = await pageAt(`/admin/schedules?team=${own.merchant.teamId}`)
    expect(page).toContain('sandbox clock')
    await own.ask('DELETE', `/invoice/schedule/${made.get('by its own clock')}`)
  })
})

describe('the page of what runs next', () => {
  it('shows the time, in its own zone and in UTC, and the rule', async () => {
    const page = await pageAt('/admin/schedules')
    expect(page).toContain('2026-03-07 11:00')
    expect(page).toContain('America/New York · 16:00 UTC')
    expect(page).toContain('every day at 11:00')
    expect(page).toContain('in 60 min')
    expect(page).toContain(pathOf('daily'))
    expect(page).not.toContain(pathOf('paused'))
  })

  it.each(RANGES)('shows the runs of a %s, and no others', async (range) => {
    const page = await pageAt(`/admin/schedules?range=${range}&team=${schedules.merchant.teamId}`)
    const marks = page.match(/class="mark"/g) ?? []
    // Daily from the next hour, an hour earlier in UTC after the change; and weekly, a week ahead.
    const expected = { day: 2, week: 8 + 1, month: 31 + 4 }
    expect(marks).toHaveLength(expected[range])
  })

  it('ignores nonsense in its address, and names the filter that is off', async () => {
    const page = await pageAt('/admin/schedules?state=odd&range=century&page=-1')
    expect(page).toContain(pathOf('daily'))
    expect(page).toContain('“odd” is not one of the choices, so this filter is off.')
    expect(await pageAt('/admin/schedules?team=Nobody')).toContain('there is no team Nobody')
  })
})

describe('one schedule', () => {
  it('shows its next twelve runs by the wall clock, through the change of the clocks', async () => {
    const page = await pageAt(pathOf('daily'))
    const coming = /<ol class="coming.*?<\/ol>/.exec(page)?.[0] ?? ''
    const instants = [...coming.matchAll(/dateTime="([^"]+)"/gi)].map(([, at]) => at)
    expect(instants).toHaveLength(12)
    expect(instants.slice(0, 3)).toEqual([
      '2026-03-07T16:00:00.000Z',
      '2026-03-08T15:00:00.000Z',
      '2026-03-09T15:00:00.000Z',
    ])
    expect(coming.match(/ 11:00</g)).toHaveLength(12)
    expect(coming.match(/after the clocks change/g)).toHaveLength(1)
  })

  it('shows its past runs with their invoices, and the missed ones', async () => {
    const { db } = schedules.service.world
    const { accountId } = schedules.merchant
    await db.query(
      `INSERT INTO schedule_run (account_id, schedule_id, occurs_at, created_at)
       VALUES ($1, $2, $3, $3)`,
      [accountId, made.get('in a week'), new Date('2026-02-28T15:00:00Z')],
    )
    const page = await pageAt(pathOf('in a week'))
    expect(page).toContain('missed, and skipped')
    expect(page).toContain('2026-02-28 10:00')
    await db.query('DELETE FROM schedule_run WHERE account_id = $1', [accountId])
  })

  it('is paused, resumed and deleted by an operator, with one audit entry each', async () => {
    const { app, world } = schedules.service
    const id = (await schedules.made({ rule: 'FREQ=DAILY' })).id
    const path = `/admin/schedules/${schedules.merchant.accountId}/${id}`
    expect(await pageAt(path)).toContain('failed payments of earlier runs are still retried')
    const steps = [
      ['pause', 'paused', 'The schedule is paused. Failed payments of its earlier runs are still'],
      ['resume', 'active', 'The schedule runs again.'],
      ['delete', 'deleted', 'The schedule is deleted.'],
    ] as const
    for (const [action, status, words] of steps) {
      const answer = await sendForm(app, `${path}/${action}`, ada)
      expect([answer.statusCode, answer.headers.location]).toEqual([303, path])
      expect((await seeAfter(app, answer, ada)).first).toContain(words)
      const now = await schedules.get(id)
      expect(now.status).toBe(status)
      expect(now.next_run_at === null).toBe(status !== 'active')
      const again = await sendForm(app, `${path}/${action}`, ada)
      expect((await seeAfter(app, again, ada)).first).toContain(
        `The schedule was ${status} already.`,
      )
    }
    const entries = await world.db.query('SELECT * FROM deed WHERE subject = $1 ORDER BY id', [id])
    expect(entries.map(({ deed, operator }) => [operator, deed])).toEqual([
      ['Ada', 'schedule paused'],
      ['Ada', 'schedule resumed'],
      ['Ada', 'schedule deleted'],
    ])
    const late = await sendForm(app, `${path}/resume`, ada)
    expect(late.statusCode).toBe(409)
    expect(await pageAt(path)).not.toContain(`${path}/pause`)
  })

  it('is not changed by a form of another session, or without a session', async () => {
    const path = pathOf('daily')
    const forged = { ...ada, formToken: 'made up' }
    expect((await sendForm(schedules.service.app, `${path}/pause`, forged)).statusCode).toBe(403)
    const unknown = { cookie: 'lamplighter_session=no', formToken: ada.formToken }
    const stranger = await sendForm(schedules.service.app, `${path}/pause`, unknown)
    expect(stranger.statusCode).toBe(401)
    expect((await schedules.get(made.get('daily') ?? '')).status).toBe('active')
  })

  it.each([
    ['of another account', () => pathOf('of another')],
    ['without an id', () => `/admin/schedules/${schedules.merchant.accountId}/hello`],
  ])('%s is not found', async (_what, path) => {
    expect((await see(schedules.service.app, path(), ada)).statusCode).toBe(404)
  })
})
