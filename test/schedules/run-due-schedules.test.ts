// Due schedules: the rows of a run, and runs that were missed.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { CARD } from '../support/sandbox-cards.ts'
import {
  MORNING,
  openSchedules,
  runsOf,
  scheduleEvents,
  schedulesOfAnother,
  type TestSchedules,
} from '../support/schedules.ts'
import { setTeam } from '../support/set-team.ts'
import { call } from '../support/test-service.ts'

const DAILY = 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0'

const BESIDE_ROWS = `
  SELECT pg_relation_size(reltoastrelid)::integer AS bytes FROM pg_class WHERE relname = 'schedule'`

describe('a round of schedules', () => {
  let schedules: TestSchedules

  beforeAll(async () => {
    schedules = await openSchedules()
  })
  afterAll(() => schedules.close())
  beforeEach(() => {
    schedules.clock.at = new Date(MORNING)
  })

  function runAt(instant: string): Promise<number> {
    schedules.clock.at = new Date(instant)
    return runDueSchedules(schedules.service.world)
  }

  const query = (text: string, ...values: unknown[]) =>
    schedules.service.world.db.query(text, values)
  const invoicesOf = (id: string) =>
    query('SELECT * FROM invoice WHERE schedule_id = $1 ORDER BY pay_by', id)
  const paymentsOf = (id: string) => query('SELECT * FROM transaction WHERE schedule_id = $1', id)

  it('does nothing before the first is due', async () => {
    const { id } = await schedules.made()
    expect(await runAt('2026-01-17T13:59:59.999Z')).toBe(0)
    expect(await runsOf(schedules, id)).toEqual([])
  })

  it('stores a large `meta` of the schedule no second time, unless that changes', async () => {
    const largest = () => ({ note: randomBytes(9_000).toString('base64') })
    const { id } = await schedules.made({ meta: largest() })
    const storedBytes = async () => (await query(BESIDE_ROWS))[0]?.bytes
    const before = await storedBytes()
    for (let day = 17; day < 22; day += 1) await runAt(`2026-01-${day}T14:00:20.000Z`)
    expect(await runsOf(schedules, id)).toHaveLength(5)
    expect(await storedBytes()).toBe(before)
    for (let i = 0; i < 5; i += 1) await schedules.put(id, { meta: largest() })
    expect(await storedBytes()).toBeGreaterThan(before)
    await schedules.ask('DELETE', `/invoice/schedule/${id}`)
  })

  it('makes a run, its invoice and its due payment, and moves on', async () => {
    const meta = { memo: 'Coffee', lineItems: [{ item: 'Beans', quantity: 1, price: 12.5 }] }
    const before = await schedules.made({ meta, channel: 'web' })
    const at = '2026-01-17T14:00:20.000Z'
    await runAt(at)
    const [invoice, ...more] = await invoicesOf(before.id)
    expect(more).toEqual([])
    expect(invoice).toMatchObject({
      account_id: schedules.merchant.accountId,
      // Its customer has no address.
      status: 'DRAFT',
      total: '1250',
      total_paid: '0',
      currency: 'USD',
      customer_id: schedules.customer,
      payment_method_id: schedules.card,
      schedule_id: before.id,
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      channel: 'web',
      meta,
      pay_by: new Date('2026-01-17T14:00:00.000Z'),
      sent_at: null,
      tries: 1,
      retry_at: null,
      due_at: null,
      version: 1,
      created_at: new Date(at),
    })
    const [payment, ...others] = await paymentsOf(before.id)
    expect(others).toEqual([])
    const { timings, config } = schedules.service.world
    expect(payment).toMatchObject({
      id: invoice?.payment_id,
      type: 'charge',
      method: 'card',
      status: 'PENDING',
      total: '1250',
      channel: 'web',
      customer_id: schedules.customer,
      payment_method_id: schedules.card,
      invoice_id: invoice?.id,
      invoice_try: 1,
      gateway_name: 'sandbox',
      last_four: '1111',
      owed: 'charge',
      due_at: new Date(Date.parse(at) + timings.nudgeGraceMs),
      deadline_at: new Date(Date.parse(at) + config.pendingDeadlineMs),
      created_at: new Date(at),
      version: 0,
    })
    expect(await query('SELECT * FROM bill_name WHERE invoice_id = $1', invoice?.id)).toEqual([
      { token: invoice?.token, account_id: schedules.merchant.accountId, invoice_id: invoice?.id },
    ])
    expect(await schedules.get(before.id)).toEqual({
      ...before,
      count: 1,
      last_run_at: at,
      last_invoice_status: 'DRAFT',
      next_run_at: '2026-01-18T14:00:00.000Z',
      future_occurrences: [...before.future_occurrences.slice(1), '2026-01-29T14:00:00.000Z'],
      updated_at: at,
    })
  })

  it('writes the events of the invoice and of the schedule in the commit that makes them', async () => {
    const { id } = await schedules.made()
    await runAt('2026-01-17T14:00:00.000Z')
    const [invoice] = await invoicesOf(id)
    const [, moved] = await scheduleEvents(schedules, id)
    expect(moved).toEqual({
      type: 'update_scheduled_invoice',
      sequence: 2,
      snapshot: await schedules.get(id),
      same_commit: true,
    })
    const { body } = await schedules.ask('GET', `/invoice/${invoice?.id}`)
    const events = await query(
      `SELECT e.type, e.sequence, e.snapshot, e.xmin = v.xmin AS same_commit
       FROM event e JOIN invoice v ON v.id::text = e.resource_id WHERE v.id = $1`,
      invoice?.id,
    )
    expect(events).toEqual([
      { type: 'create_invoice', sequence: 1, snapshot: body, same_commit: true },
    ])
  })

  it('leaves the invoice a draft, and unpaid, if nothing is sent and nothing pays', async () => {
    const { id } = await schedules.made({ payment_method_id: null, email_notification: false })
    await runAt('2026-01-17T14:00:00.000Z')
    expect(await invoicesOf(id)).toMatchObject([
      { status: 'DRAFT', sent_at: null, payment_id: null, tries: 0, payment_method_id: null },
    ])
    expect(await paymentsOf(id)).toEqual([])
    expect((await schedules.get(id)).last_invoice_status).toBe('DRAFT')
  })

  it('makes the invoice without a payment if its card is gone after all', async () => {
    const { id, customer_id } = await schedules.made()
    const own = { ...CARD, customer_id }
    const card = await schedules.ask('POST', '/payment-method', own)
    await schedules.put(id, { payment_method_id: card.body.id })
    await query('UPDATE payment_method SET deleted_at = created_at WHERE id = $1', card.body.id)
    await runAt('2026-01-17T14:00:00.000Z')
    // Its customer has no address, so the bill was not sent.
    const unpaid = { status: 'DRAFT', sent_at: null, payment_id: null, tries: 0 }
    expect(await invoicesOf(id)).toMatchObject([unpaid])
    expect(await paymentsOf(id)).toEqual([])
    await schedules.put(id, { active: false })
  })

  it('shows that the bill was sent if the customer has an address', async () => {
    const { id, customer_id } = await schedules.made({ payment_method_id: null })
    await schedules.ask('PUT', `/customer/${customer_id}`, { email: 'ada@example.com' })
    await runAt('2026-01-17T14:00:00.000Z')
    expect(await invoicesOf(id)).toMatchObject([{ status: 'SENT', sent_at: expect.any(Date) }])
    await schedules.ask('PUT', `/customer/${customer_id}`, { email: null })
  })

  it('sends it by SMS alone as well', async () => {
    const { merchant, service } = schedules
    await setTeam(service.world, merchant.teamId, ['sms_enabled=true'])
    const { id, customer_id } = await schedules.made({
      email_notification: false,
      sms_notification: true,
    })
    await schedules.ask('PUT', `/customer/${customer_id}`, { phone: '+12025550143' })
    await runAt('2026-01-17T14:00:00.000Z')
    expect(await invoicesOf(id)).toMatchObject([{ status: 'SENT' }])
  })

  const MISSED: readonly (readonly ['all' | 'one' | 'skip', string, readonly boolean[]])[] = [
    ['all', '2026-01-20T14:30:00.000Z', [true, true, true, true]],
    ['one', '2026-01-20T14:30:00.000Z', [false, false, false, true]],
    ['skip', '2026-01-20T14:30:00.000Z', [false, false, false, true]],
    ['skip', '2026-01-20T15:00:00.001Z', [false, false, false, false]],
    ['one', '2026-01-20T15:00:00.001Z', [false, false, false, true]],
  ]

  it.each(MISSED)(
    'after three days without rounds, with %s at %s, runs %j',
    async (missed_runs, at, runs) => {
      const { id } = await schedules.made({ missed_runs })
      await runAt(at)
      const days = ['17', '18', '19', '20'].map((day) => `2026-01-${day}T14:00:00.000Z`)
      expect(await runsOf(schedules, id)).toEqual(days.map((day, i) => [day, runs[i]]))
      const count = runs.filter(Boolean).length
      expect(await invoicesOf(id)).toHaveLength(count)
      expect(await schedules.get(id)).toMatchObject({
        count,
        last_run_at: count === 0 ? null : at,
        next_run_at: '2026-01-21T14:00:00.000Z',
      })
    },
  )

  it('ends with COUNT, which counts skipped runs as well', async () => {
    const { id } = await schedules.made({ rule: `${DAILY};COUNT=3`, missed_runs: 'one' })
    await runAt('2026-01-18T14:00:00.000Z')
    expect(await schedules.get(id)).toMatchObject({ count: 1, status: 'active', max_runs: 3 })
    await runAt('2026-01-19T14:00:00.000Z')
    await runAt('2026-02-19T14:00:00.000Z')
    expect(await runsOf(schedules, id)).toHaveLength(3)
    expect(await schedules.get(id)).toMatchObject({
      status: 'active',
      count: 2,
      next_run_at: null,
      end_at: '2026-01-19T14:00:00.000Z',
      future_occurrences: [],
    })
  })

  it('ends with UNTIL, including that instant', async () => {
    const { id } = await schedules.made({ rule: `${DAILY};UNTIL=20260118T140000Z` })
    await runAt('2026-02-17T14:00:00.000Z')
    expect(await runsOf(schedules, id)).toHaveLength(2)
    expect((await schedules.get(id)).next_run_at).toBeNull()
  })

  it('runs on the wall clock of the zone when clocks change', async () => {
    schedules.clock.at = new Date('2026-03-07T12:00:00.000Z')
    const { id } = await schedules.made({ rule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30;COUNT=3' })
    const abroad = await schedules.made({
      rule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30;COUNT=3',
      timezone: 'UTC',
    })
    await runAt('2026-03-12T00:00:00.000Z')
    // There is no 02:30 on the eighth: its run is at the first instant after the gap.
    expect((await runsOf(schedules, id)).map(([at]) => at)).toEqual([
      '2026-03-08T07:00:00.000Z',
      '2026-03-09T06:30:00.000Z',
      '2026-03-10T06:30:00.000Z',
    ])
    expect((await runsOf(schedules, abroad.id)).map(([at]) => at)).toEqual([
      '2026-03-08T02:30:00.000Z',
      '2026-03-09T02:30:00.000Z',
      '2026-03-10T02:30:00.000Z',
    ])
  })

  it('makes up for any number, a part at a time', async () => {
    const { id } = await schedules.made({ rule: 'FREQ=MINUTELY;INTERVAL=15', start: MORNING })
    await runAt('2026-01-18T13:07:00.000Z')
    expect(await runsOf(schedules, id)).toHaveLength(101)
    expect(await invoicesOf(id)).toHaveLength(101)
    expect(await schedules.get(id)).toMatchObject({
      count: 101,
      next_run_at: '2026-01-18T13:15:00.000Z',
    })
  })

  it('makes one run for any number', async () => {
    const { id } = await schedules.made({
      rule: 'FREQ=MINUTELY;INTERVAL=15',
      start: MORNING,
      missed_runs: 'one',
    })
    await runAt('2026-01-18T13:07:00.000Z')
    const runs = await runsOf(schedules, id)
    expect(runs).toHaveLength(101)
    expect(runs.filter(([, isRun]) => isRun)).toEqual([['2026-01-18T13:00:00.000Z', true]])
    await schedules.put(id, { active: false })
  })

  it('makes no second invoice for an occurrence that was handled', async () => {
    const { id } = await schedules.made()
    await runAt('2026-01-18T14:00:00.000Z')
    await query(
      `UPDATE schedule SET next_run_at = '2026-01-17T14:00:00Z', due_at = '2026-01-17T14:00:00Z'
       WHERE id = $1`,
      id,
    )
    await runAt('2026-01-19T14:00:00.000Z')
    expect(await invoicesOf(id)).toHaveLength(3)
    expect(await schedules.get(id)).toMatchObject({
      count: 3,
      next_run_at: '2026-01-20T14:00:00.000Z',
    })
  })

  it('pauses a schedule that runs more often in a day than any rule allows', async () => {
    const lines: string[] = []
    await using noisy = await openSchedules({ log: { write: (line) => void lines.push(line) } })
    const { id } = await noisy.made({ rule: 'FREQ=MINUTELY;INTERVAL=15', start: MORNING })
    const { db } = noisy.service.world
    await db.query("UPDATE schedule SET run_day = '2026-01-17', runs_of_day = 198 WHERE id = $1", [
      id,
    ])
    noisy.clock.at = new Date('2026-01-17T13:00:00.000Z')
    await runDueSchedules(noisy.service.world)
    expect(await runsOf(noisy, id)).toHaveLength(2)
    const found = await noisy.get(id)
    expect(found).toMatchObject({ status: 'paused', count: 2, next_run_at: null })
    expect((await scheduleEvents(noisy, id)).at(-1)?.snapshot).toEqual(found)
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([{ schedule_id: id, msg: expect.stringContaining('paused') }])
  })

  it('counts each day anew, so that a frequent schedule goes on', async () => {
    const { id } = await schedules.made({ rule: 'FREQ=MINUTELY;INTERVAL=15', start: MORNING })
    await query("UPDATE schedule SET run_day = '2026-01-16', runs_of_day = 200 WHERE id = $1", id)
    await runAt('2026-01-17T13:00:00.000Z')
    expect(await schedules.get(id)).toMatchObject({ status: 'active', count: 5 })
  })

  it('is not stopped by a schedule that cannot be read', async () => {
    const broken = await schedules.made()
    const whole = await schedules.made()
    await query("UPDATE schedule SET rule = 'RRULE:FREQ=NEVER' WHERE id = $1", broken.id)
    expect(await runAt('2026-01-17T14:00:00.000Z')).toBeGreaterThan(0)
    expect(await runsOf(schedules, whole.id)).toHaveLength(1)
    expect(await runsOf(schedules, broken.id)).toEqual([])
    await query("UPDATE schedule SET rule = 'RRULE:FREQ=DAILY' WHERE id = $1", broken.id)
  })

  it('in a live account makes invoices, and waits if a gateway would be needed', async () => {
    const live = await schedules.service.merchant('live')
    const post = async (url: string, body: object) =>
      (await call(schedules.service.app, 'POST', url, live.headers, body)).body.id
    const customer_id = await post('/customer', { firstname: 'Ada' })
    const plan = { total: 1, rule: DAILY, customer_id }
    const [billed, charged, forgotten] = [
      await post('/invoice/schedule', plan),
      await post('/invoice/schedule', plan),
      await post('/invoice/schedule', plan),
    ]
    const [card, deleted] = [schedules.service.world.newId(), schedules.service.world.newId()]
    await query(
      `INSERT INTO payment_method (account_id, id, customer_id, method, gateway_name, gateway_token,
         person_name, is_default, meta, created_at, updated_at, deleted_at)
       VALUES ($1, $2, $3, 'card', 'sandbox', 'tok', 'Ada', true, '{}', $4, $4, NULL),
         ($1, $5, $3, 'card', 'sandbox', 'tok', 'Ada', false, '{}', $4, $4, $4)`,
      live.accountId,
      card,
      customer_id,
      MORNING,
      deleted,
    )
    const payWith = 'UPDATE schedule SET payment_method_id = $2 WHERE id = $1'
    await query(payWith, charged, card)
    await query(payWith, forgotten, deleted)
    await runAt('2026-01-17T14:00:00.000Z')
    expect(await runsOf(schedules, billed)).toHaveLength(1)
    expect(await runsOf(schedules, charged)).toEqual([])
    // Its payment method is deleted, so the customer pays by hand.
    expect(await invoicesOf(forgotten)).toMatchObject([{ payment_id: null, tries: 0 }])
    const rows = await query('SELECT next_run_at, due_at FROM schedule WHERE id = $1', charged)
    const again = new Date('2026-01-17T14:05:00.000Z')
    expect(rows).toEqual([{ next_run_at: schedules.clock.at, due_at: again }])
  })

  describe.each([
    [
      'is not active',
      'UPDATE team SET status = $2::team_status WHERE id = $1',
      'inactive',
      'active',
    ],
    ['is not enabled', 'UPDATE team SET enabled = $2::boolean WHERE id = $1', 'false', 'true'],
  ])('of a team that %s', (_, text, off, on) => {
    it('waits, and follows missed_runs later', async () => {
      const own = await schedulesOfAnother(schedules)
      const all = await own.made()
      const one = await own.made({ missed_runs: 'one' })
      const other = await schedules.made()
      await query(text, own.merchant.teamId, off)
      await runAt('2026-01-17T14:00:00.000Z')
      expect(await runsOf(own, all.id)).toEqual([])
      expect(await runsOf(schedules, other.id)).toHaveLength(1)
      expect((await own.get(all.id)).next_run_at).toBe('2026-01-17T14:00:00.000Z')
      await runAt('2026-01-18T14:00:00.000Z')
      await query(text, own.merchant.teamId, on)
      expect(await runAt('2026-01-18T14:04:59.000Z')).toBe(0)
      await runAt('2026-01-18T14:05:00.000Z')
      expect((await runsOf(own, all.id)).map(([, isRun]) => isRun)).toEqual([true, true])
      expect((await runsOf(own, one.id)).map(([, isRun]) => isRun)).toEqual([false, true])
    })
  })
})
