// Simultaneous rounds, and other changes at the same moment: each occurrence is run once, and a
// deleted schedule makes no more invoices.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteSchedule } from '../../src/schedules/delete-schedule.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { openFurther } from '../support/further.ts'
import { holdLock } from '../support/hold-lock.ts'
import { MORNING, openSchedules, PATH, runsOf, type TestSchedules } from '../support/schedules.ts'

const INVOICES = 'SELECT count(*)::integer AS invoices FROM invoice WHERE schedule_id = $1'

describe('rounds at the same moment', () => {
  let schedules: TestSchedules

  beforeAll(async () => {
    schedules = await openSchedules()
  })
  afterAll(() => schedules.close())
  beforeEach(() => {
    schedules.clock.at = new Date(MORNING)
  })

  const query = (text: string, ...values: unknown[]) =>
    schedules.service.world.db.query(text, values)

  /** While this lock is held no event can be written, and so no change can commit. */
  const holdEvents = () => holdLock(schedules.service.databaseUrl, 'LOCK TABLE event IN SHARE MODE')

  /** Ten rounds of three processes on 1,540 due schedules. True if several found some. */
  async function race(): Promise<boolean> {
    schedules.clock.at = new Date(MORNING)
    const ids: string[] = []
    for (let i = 0; i < 40; i += 1) {
      const rule = i % 2 === 0 ? 'FREQ=DAILY' : 'FREQ=HOURLY'
      ids.push((await schedules.made({ rule, start: MORNING })).id)
    }
    await query(COPY, ids[0], 1_500)
    schedules.clock.at = new Date('2026-01-17T15:30:00.000Z')
    const worlds = await Promise.all([1, 2, 3].map(() => openFurther(schedules.service)))
    const rounds = Array.from({ length: 10 }, (_, i) =>
      runDueSchedules(worlds[i % 3]?.world ?? schedules.service.world),
    )
    const seen = await Promise.all(rounds)
    for (const world of worlds) await world[Symbol.asyncDispose]()
    expect(seen.reduce((sum, one) => sum + one, 0)).toBe(1_540)
    return seen.filter((one) => one > 0).length > 1
  }

  it('in several processes run each occurrence once', { timeout: 120_000 }, async () => {
    // On a busy machine one of them may find all of it, and then nothing was tested yet.
    let races = 1
    while (!(await race())) {
      races += 1
      expect(races).toBeLessThan(6)
    }
    const found = await query(`
      SELECT s.count, s.version, s.rule, s.next_run_at,
        (SELECT count(*)::integer FROM schedule_run r WHERE r.schedule_id = s.id) AS runs,
        (SELECT count(DISTINCT pay_by)::integer FROM invoice v WHERE v.schedule_id = s.id) AS bills,
        (SELECT count(*)::integer FROM invoice v WHERE v.schedule_id = s.id) AS invoices,
        (SELECT count(*)::integer FROM transaction t WHERE t.schedule_id = s.id) AS payments
      FROM schedule s`)
    expect(found).toHaveLength(1_540 * races)
    for (const { count, version, rule, runs, bills, invoices, payments } of found) {
      const due = rule.includes('HOURLY') ? 4 : 1
      const want = { count: due, version: 2, runs: due, bills: due, invoices: due, payments: due }
      expect({ count, version, runs, bills, invoices, payments }).toEqual(want)
    }
    const overdue = 'SELECT FROM schedule WHERE next_run_at <= $1 OR due_at <> next_run_at'
    expect(await query(overdue, schedules.clock.at)).toEqual([])
  })

  /** Makes more schedules like an existing one. */
  const COPY = `
    INSERT INTO schedule (account_id, id, customer_id, payment_method_id, total, currency, rule,
      anchor, timezone, email_notification, sms_notification, meta, next_run_at, due_at, request_id,
      created_at, updated_at)
    SELECT account_id, gen_random_uuid(), customer_id, payment_method_id, total, currency, rule,
      anchor, timezone, email_notification, sms_notification, meta, next_run_at, due_at, request_id,
      created_at, updated_at
    FROM schedule, generate_series(1, $2) WHERE id = $1`

  it('make a deletion wait for the run in progress', async () => {
    const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: MORNING })
    const events = await holdEvents()
    const round = runDueSchedules(schedules.service.world)
    await events.untilWaiting(1)
    const deleting = schedules.ask('DELETE', `${PATH}/${id}`)
    await events.untilWaiting(2)
    await events.release()
    const { status, body } = await deleting
    const answered = await query(INVOICES, id)
    await round
    schedules.clock.at = new Date('2026-01-20T12:00:00.000Z')
    await runDueSchedules(schedules.service.world)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'deleted', count: 1, last_invoice_status: 'DRAFT' })
    expect(answered).toEqual([{ invoices: 1 }])
    expect(await query(INVOICES, id)).toEqual([{ invoices: 1 }])
  })

  it('skip schedules that are being deleted', async () => {
    const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: MORNING })
    const events = await holdEvents()
    const deleting = schedules.ask('DELETE', `${PATH}/${id}`)
    await events.untilWaiting(1)
    expect(await runDueSchedules(schedules.service.world)).toBe(0)
    await events.release()
    expect((await deleting).body).toMatchObject({ status: 'deleted', count: 0 })
    expect(await runDueSchedules(schedules.service.world)).toBe(0)
    expect(await runsOf(schedules, id)).toEqual([])
  })

  it.each([
    ['paused', (id: string) => schedules.put(id, { status: 'paused' }), null],
    ['deleted', (id: string) => schedules.ask('DELETE', `${PATH}/${id}`), null],
    ['left as it was', async () => {}, '2026-01-17T12:05:00.000Z'],
  ])('go on after a schedule that cannot be run and was then %s', async (_, change, dueAt) => {
    const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: MORNING })
    const fine = await schedules.made({ rule: 'FREQ=DAILY', start: MORNING })
    await query('UPDATE schedule SET count = 2147483647 WHERE id = $1', id)
    const { world } = schedules.service
    // The whole chunk fails first, then the schedule alone. It is changed before it is postponed.
    let failed = 0
    const commit: typeof world.db.commit = (turn, work) =>
      world.db.commit(turn, work).catch(async (error) => {
        failed += 1
        if (failed === 2) await change(id)
        throw error
      })
    await runDueSchedules({ ...world, db: { ...world.db, commit } })
    expect(failed).toBe(2)
    const state = 'SELECT due_at FROM schedule WHERE id = $1'
    expect(await query(state, id)).toEqual([{ due_at: dueAt && new Date(dueAt) }])
    expect(await runsOf(schedules, fine.id)).toEqual([[MORNING, true]])
    await query("UPDATE schedule SET count = 0 WHERE id = $1 AND status <> 'deleted'", id)
  })

  it('make no invoice once a deletion has answered', { timeout: 60_000 }, async () => {
    await using further = await openFurther(schedules.service)
    const { accountId } = schedules.merchant
    const context = { accountId, clockAt: null, requestId: 'r', idempotencyKey: undefined }
    const deleted = new Map<string, number>()
    for (let round = 0; round < 15; round += 1) {
      schedules.clock.at = new Date(MORNING)
      const made = await Promise.all(
        [1, 2, 3, 4].map(() => schedules.made({ rule: 'FREQ=HOURLY', start: MORNING })),
      )
      schedules.clock.at = new Date('2026-01-17T14:00:00.000Z')
      const run = async () => {
        await Promise.all([schedules.service, further].map(({ world }) => runDueSchedules(world)))
      }
      const remove = async ({ id }: { readonly id: string }) => {
        await deleteSchedule(further.world, context, id)
        const [found] = await query(INVOICES, id)
        deleted.set(id, found?.invoices)
      }
      const removals = made.map((one) => () => remove(one))
      const acts = round % 2 === 0 ? [run, ...removals] : [...removals, run]
      await Promise.all(acts.map((act) => act()))
    }
    for (const [id, invoices] of deleted) expect(await query(INVOICES, id)).toEqual([{ invoices }])
    // Some ran first, and some did not; otherwise nothing was tested.
    expect(deleted.size).toBe(60)
    expect(new Set(deleted.values())).toContain(0)
  })
})
