// The worker that advances a clock: one at a time, and a dead one is followed by another.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../../src/db/client.ts'
import type { Query } from '../../src/db/database.ts'
import { advanceClock } from '../../src/sandbox-clock/advance-clock.ts'
import { HeldClock, takeClock } from '../../src/sandbox-clock/held-clock.ts'
import { nudgeOverdueClocks } from '../../src/sandbox-clock/sandbox-clock.ts'
import type { World } from '../../src/world.ts'
import { writeDay } from '../support/batch-crowd.ts'
import { movableClock } from '../support/end-windows.ts'
import { openFaultySetup } from '../support/faulty-setup.ts'
import {
  newPaymentsApi,
  openPaymentsApi,
  type PaymentsApi,
  paymentsApiOf,
} from '../support/payments-api.ts'
import {
  clockOf,
  datedEventsOf,
  scheduleOf,
  setClock,
  takeThere,
} from '../support/sandbox-clock.ts'

const START = '2027-03-01T12:00:00.000Z'
const TARGET = '2027-04-01T12:00:00.000Z'
/** Longer than this test ever waits between two of its steps. */
const LEASE_MS = 5_000
const clock = movableClock()

let first: PaymentsApi
let world: World

beforeAll(async () => {
  first = await openPaymentsApi({ clock, queues: [], timings: { leaseMs: LEASE_MS } })
  world = first.service.world
})
afterAll(() => first.service.close())

/** A clock that is advancing, with a charge each week on its way. */
async function departed(): Promise<PaymentsApi> {
  const api = await newPaymentsApi(first.service)
  await setClock(api, START)
  await scheduleOf(api, { rule: 'FREQ=WEEKLY', start: '2027-03-01T09:00:00' })
  expect((await setClock(api, TARGET)).body.status).toBe('advancing')
  return api
}

function advance({ merchant }: PaymentsApi, signal = new AbortController().signal) {
  const progress: number[] = []
  const report = ({ done, of }: { readonly done: number; readonly of: number }) =>
    progress.push(done / of)
  return { progress, verdict: advanceClock(world, merchant, signal, report) }
}

async function expectDone(api: PaymentsApi): Promise<void> {
  expect(await clockOf(api)).toMatchObject({ now: TARGET, status: 'ready' })
  const events = await datedEventsOf(first.service, api.merchant)
  const count = (type: string) => events.filter((line) => line.endsWith(` ${type}`)).length
  // There are five Mondays, each with its batch in the evening and its deposit the next morning.
  expect(count('create_invoice')).toBe(5)
  expect(count('create_transaction')).toBe(5)
  expect(count('create_batch')).toBe(5)
  expect(count('create_deposit')).toBe(5)
}

const dueAt = async ({ merchant }: PaymentsApi): Promise<Date | null> => {
  const sql = 'SELECT clock_due_at FROM account WHERE id = $1'
  return (await world.db.query(sql, [merchant.accountId]))[0]?.clock_due_at
}

describe('a clock with a long advance', () => {
  it('is released now and then, so that others have their turn', async () => {
    const clock = movableClock()
    const setup = await openFaultySetup({ clock, queues: [], timings: { leaseMs: LEASE_MS } })
    await using service = setup.service
    const api = { ...setup, ...paymentsApiOf(service, setup.merchant, setup.card) }
    await setClock(api, START)
    await scheduleOf(api, { rule: 'FREQ=WEEKLY', start: '2027-03-01T09:00:00' })
    await setClock(api, TARGET)
    setup.plan = {
      fault({ operation }) {
        if (operation === 'charge') clock.move(6_000)
        return 'none'
      },
    }
    const { signal } = new AbortController()
    const turn = () => advanceClock(service.world, api.merchant, signal, () => {})
    const before = clock.now()
    const verdict = await turn()
    expect(verdict).toMatchObject({ kind: 'snooze' })
    expect('until' in verdict && verdict.until > before && verdict.until <= clock.now()).toBe(true)
    // The first payment took the whole turn.
    expect((await clockOf(api)).now).toBe('2027-03-01T14:00:00.000Z')
    await turn()
    expect((await clockOf(api)).now).toBe('2027-03-08T14:00:00.000Z')
    setup.plan = { fault: () => 'none' }
    await takeThere(service.world, api.merchant)
    expect(await clockOf(api)).toMatchObject({ now: TARGET, status: 'ready' })
  })

  it('is released among many payments under way, and reads no more than it decides', async () => {
    const clock = movableClock()
    const setup = await openFaultySetup({ clock, queues: [], timings: { leaseMs: LEASE_MS } })
    await using service = setup.service
    const api = { ...setup, ...paymentsApiOf(service, setup.merchant, setup.card) }
    await setClock(api, START)
    const { accountId } = api.merchant
    for (let n = 0; n < 80; n += 1) await api.charge({}, { prefer: 'respond-async' })
    await setClock(api, TARGET)
    setup.plan = {
      fault() {
        clock.move(6_000)
        return 'none'
      },
    }
    const { db } = service.world
    let most = 0
    const query: Query = async (text, values) => {
      const rows = await db.query(text, values)
      most = Math.max(most, rows.length)
      return rows
    }
    const { signal } = new AbortController()
    const world = { ...service.world, db: { ...db, query } }
    expect(await advanceClock(world, api.merchant, signal, () => {})).toMatchObject({
      kind: 'snooze',
    })
    expect(await clockOf(api)).toMatchObject({ now: START, status: 'advancing' })
    const sql = 'SELECT count(*)::integer AS taken FROM transaction WHERE attempt > 0'
    expect(await db.query(sql)).toEqual([{ taken: most }])
    expect(most).toBeLessThan(80)
    setup.plan = { fault: () => 'none' }
    await takeThere(service.world, api.merchant)
    const decided =
      'SELECT count(*)::integer FROM transaction WHERE account_id = $1 AND status = $2'
    expect(await db.query(decided, [accountId, 'SUCCESS'])).toEqual([{ count: 80 }])
  })

  it('is released within the events of a large batch, and stands until all are written', async () => {
    const clock = movableClock()
    const setup = await openFaultySetup({ clock, queues: [], timings: { leaseMs: LEASE_MS } })
    await using service = setup.service
    const api = { ...setup, ...paymentsApiOf(service, setup.merchant, setup.card) }
    const { accountId } = api.merchant
    await setClock(api, START)
    const [id = ''] = await withClient(service.databaseUrl, (client) =>
      writeDay(client, [accountId], '2027-03-02', 2_400),
    )
    await setClock(api, TARGET)
    const { db } = service.world
    const queryHot: typeof db.queryHot = (name, ...of) => {
      if (name === 'write-settled-events') clock.move(3_000)
      return db.queryHot(name, ...of)
    }
    const { signal } = new AbortController()
    const world = { ...service.world, db: { ...db, queryHot } }
    const written = async () =>
      (await db.query('SELECT events_written FROM batch WHERE id = $1', [id]))[0]?.events_written
    expect(await advanceClock(world, api.merchant, signal, () => {})).toMatchObject({
      kind: 'snooze',
    })
    expect(await written()).toBe(1_000)
    expect(await clockOf(api)).toMatchObject({ now: '2027-03-02T23:59:00.000Z' })
    await takeThere(service.world, api.merchant)
    expect(await written()).toBe(2_400)
    expect(await clockOf(api)).toMatchObject({ now: TARGET, status: 'ready' })
    const settled = `SELECT DISTINCT created_at FROM event
      WHERE account_id = $1 AND type = 'update_transaction_settled'`
    expect(await db.query(settled, [accountId])).toEqual([
      { created_at: new Date('2027-03-02T23:59:00.000Z') },
    ])
  })
})

describe('an advancing clock', () => {
  it('reaches its target, and shows its progress', async () => {
    const api = await departed()
    const { progress, verdict } = advance(api)
    const one = await verdict
    if (one.kind === 'snooze') await takeThere(world, api.merchant)
    expect(progress[0]).toBe(0)
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    if (one.kind === 'done') expect(progress.at(-1)).toBe(1)
    await expectDone(api)
    expect(await advance(api).verdict).toEqual({ kind: 'done' })
  })

  it('is held by one worker: another comes again when the lease ends', async () => {
    const api = await departed()
    const held = await takeClock(world, api.merchant.accountId)
    expect(held).toBeInstanceOf(HeldClock)
    expect(await advance(api).verdict).toEqual({ kind: 'snooze', until: await dueAt(api) })
    expect(await clockOf(api)).toMatchObject({ now: START })
  })

  it('is moved no more by the worker that lost it', async () => {
    const api = await departed()
    const lost = await takeClock(world, api.merchant.accountId)
    if (!(lost instanceof HeldClock)) throw new Error('no other process holds it')
    const sql = 'UPDATE account SET clock_due_at = $2 WHERE id = $1'
    await world.db.query(sql, [api.merchant.accountId, new Date(0)])
    const held = await takeClock(world, api.merchant.accountId)
    if (!(held instanceof HeldClock)) throw new Error('no other process holds it')
    expect(await lost.moveTo(new Date(TARGET))).toBe(false)
    expect(await lost.finish()).toBe(false)
    await lost.release()
    expect(await clockOf(api)).toMatchObject({ now: START, status: 'advancing' })
    // As a control, its holder can move it.
    expect(await held.moveTo(new Date('2027-03-01T13:00:00Z'))).toBe(true)
    expect(await clockOf(api)).toMatchObject({ now: '2027-03-01T13:00:00.000Z' })
  })

  it('whose holder died is found by the sweep once the lease has ended', async () => {
    const api = await departed()
    await takeClock(world, api.merchant.accountId)
    const queue = world.queues.queue('clock')
    const nudges = async () => {
      const jobs = await queue.getJobs(['waiting', 'delayed'])
      return jobs.filter(({ id, data }) => {
        return id?.startsWith('overdue-') && data.items[0]?.id === api.merchant.accountId
      }).length
    }
    await nudgeOverdueClocks(world)
    expect(await nudges()).toBe(0)
    clock.move(LEASE_MS)
    expect(await nudgeOverdueClocks(world)).toBeGreaterThan(0)
    await nudgeOverdueClocks(world)
    expect(await nudges()).toBe(1)
    await takeThere(world, api.merchant)
    await expectDone(api)
  })

  it('that failed halfway goes on from where it is, and does nothing twice', async () => {
    const api = await departed()
    const { accountId } = api.merchant
    await world.db.query(`
      CREATE FUNCTION break_a_day() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'broken by the test'; END $$`)
    await world.db.query(`
      CREATE TRIGGER broken_day BEFORE INSERT ON event FOR EACH ROW
      WHEN (NEW.account_id = '${accountId}' AND NEW.type = 'create_batch'
        AND NEW.created_at > '2027-03-15')
      EXECUTE FUNCTION break_a_day()`)
    await expect(takeThere(world, api.merchant)).rejects.toThrow('broken by the test')
    const cutoff = '2027-03-16T00:00:00.000Z' // It is the cutoff of the third batch, in summer time.
    expect(await clockOf(api)).toMatchObject({ now: cutoff, status: 'advancing' })
    // It is released: no worker has to wait for the lease to end.
    expect((await dueAt(api))?.getTime()).toBeLessThanOrEqual(clock.now().getTime())
    await world.db.query('DROP TRIGGER broken_day ON event')
    await takeThere(world, api.merchant)
    await expectDone(api)
  })

  it('is released, and not moved, by a worker that is told to stop', async () => {
    const api = await departed()
    const stop = new AbortController()
    stop.abort()
    expect(await advance(api, stop.signal).verdict).toMatchObject({ kind: 'snooze' })
    expect(await clockOf(api)).toMatchObject({ now: START, status: 'advancing', progress: 0 })
    await takeThere(world, api.merchant)
    await expectDone(api)
  })

  it('is advanced by two workers at once as by one', async () => {
    const api = await departed()
    const both = await Promise.all([advance(api).verdict, advance(api).verdict])
    expect(both.map(({ kind }) => kind)).toContain('snooze')
    await takeThere(world, api.merchant)
    await expectDone(api)
  })
})
