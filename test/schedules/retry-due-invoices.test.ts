// Rounds over failed automatic payments whose retry is due, in a service whose workers do not make
// the payments.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/core/time-units.ts'
import { retryDueInvoices } from '../../src/schedules/retry-due-invoices.ts'
import { openFurther } from '../support/further.ts'
import { holdLock } from '../support/hold-lock.ts'
import {
  customerOf,
  insertSchedule,
  invoiceEvents,
  payableInvoice,
  payInvoice,
  toBeTriedAgain,
} from '../support/invoices.ts'
import { newPaymentsApi, type PaymentsApi, paymentsApiOf } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

const PAST = new Date('2026-01-02T03:04:05.678Z')
const FUTURE = new Date('2099-01-02T03:04:05.678Z')
const ASYNC = { prefer: 'respond-async' }

describe('a round over invoices with a due retry', () => {
  let service: TestService
  let api: PaymentsApi

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { PENDING_DEADLINE_MS: '1h' } })
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    await service.world.db.query('UPDATE invoice SET retry_at = NULL, due_at = NULL')
    api = await newPaymentsApi(service)
  })

  async function failed(at: Date, body: object = {}, isInRealTime = true): Promise<string> {
    const id = await payableInvoice(api, body)
    await toBeTriedAgain(service, id, at, { isInRealTime })
    return id
  }

  const invoice = async (id: string) =>
    (await call(service.app, 'GET', `/invoice/${id}`, api.merchant.headers)).body

  const rowOf = async (id: string) => {
    const [row] = await service.world.db.query(
      'SELECT tries, payment_id, retry_at, due_at, version FROM invoice WHERE id = $1',
      [id],
    )
    return row
  }

  const paymentsOf = (id: string) =>
    service.world.db.query('SELECT * FROM transaction WHERE invoice_id = $1 ORDER BY id', [id])

  it("begins the due payment with its number, and writes the invoice's event", async () => {
    const id = await failed(PAST, { meta: { poNumber: '4711' } })
    const schedule = await insertSchedule(api)
    await service.world.db.query(
      `UPDATE invoice SET schedule_id = $2, channel = 'post', request_id = 'run-1' WHERE id = $1`,
      [id, schedule],
    )
    const before = service.world.clock.now()
    expect(await retryDueInvoices(service.world)).toBe(1)
    const [payment, ...others] = await paymentsOf(id)
    expect(others).toEqual([])
    expect(payment).toMatchObject({
      type: 'charge',
      status: 'PENDING',
      total: '1000',
      payment_method_id: api.card,
      customer_id: await customerOf(api),
      invoice_try: 2,
      schedule_id: schedule,
      channel: 'post',
      source: null,
      meta: { poNumber: '4711' },
      request_id: 'run-1',
      idempotency_id: null,
      owed: 'charge',
      attempt: 0,
      version: 0,
    })
    const created = payment?.created_at.getTime()
    expect(created).toBeGreaterThanOrEqual(before.getTime())
    expect(payment?.deadline_at.getTime()).toBe(created + 60 * MINUTE)
    const row = { tries: 2, payment_id: payment?.id, retry_at: null, due_at: null, version: 2 }
    expect(await rowOf(id)).toEqual(row)
    const shown = await invoice(id)
    expect(shown).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
    expect(await invoiceEvents(service, id)).toMatchObject([
      { sequence: 1 },
      { type: 'update_invoice', sequence: 2, snapshot: shown, request_id: 'run-1' },
    ])
    expectRefusal(await payInvoice(api, id), 409, 'payment_under_way')
    expect(await retryDueInvoices(service.world)).toBe(0)
    expect(await paymentsOf(id)).toHaveLength(1)
  })

  it('skips invoices that are not due, paid or deleted', async () => {
    const later = await failed(FUTURE)
    const paying = await failed(PAST)
    expect((await payInvoice(api, paying, {}, ASYNC)).status).toBe(202)
    const deleted = await failed(PAST)
    await call(service.app, 'DELETE', `/invoice/${deleted}`, api.merchant.headers)
    expect(await retryDueInvoices(service.world)).toBe(0)
    expect(await paymentsOf(later)).toEqual([])
    expect((await rowOf(later))?.due_at).toEqual(FUTURE)
    expect(await paymentsOf(paying)).toMatchObject([{ invoice_try: null }])
    expect(await paymentsOf(deleted)).toEqual([])
  })

  it('cancels the retry if its schedule was deleted', async () => {
    const id = await failed(PAST)
    const schedule = await insertSchedule(api)
    await service.world.db.query(
      `WITH gone AS (
         UPDATE schedule SET status = 'deleted', deleted_at = created_at WHERE id = $2
       ) UPDATE invoice SET schedule_id = $2 WHERE id = $1`,
      [id, schedule],
    )
    expect(await retryDueInvoices(service.world)).toBe(1)
    await expectDropped(id)
  })

  it.each(['sandbox', 'live'])(
    'cancels the retry in a %s account if its payment method is gone after all',
    async (mode) => {
      const id = await failed(PAST)
      const forget = 'UPDATE payment_method SET deleted_at = created_at WHERE id = $1'
      await service.world.db.query(forget, [api.card])
      if (mode === 'live') await makeLive()
      expect(await retryDueInvoices(service.world)).toBe(1)
      await expectDropped(id)
    },
  )

  /** No gateway for live accounts is set up. */
  async function makeLive(): Promise<void> {
    const { query } = service.world.db
    await query(`DELETE FROM account WHERE mode = 'live' AND team_id = $1`, [api.merchant.teamId])
    await query(`UPDATE account SET mode = 'live' WHERE id = $1`, [api.merchant.accountId])
  }

  async function expectDropped(id: string): Promise<void> {
    expect(await paymentsOf(id)).toEqual([])
    const dropped = { tries: 1, payment_id: null, retry_at: null, due_at: null, version: 2 }
    expect(await rowOf(id)).toEqual(dropped)
    const shown = await invoice(id)
    expect(shown).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
    expect((await invoiceEvents(service, id)).at(-1)).toMatchObject({
      type: 'update_invoice',
      snapshot: shown,
    })
    expect(await retryDueInvoices(service.world)).toBe(0)
  }

  it.each(['status=inactive', 'enabled=false'])(
    'waits for a team with %s, and writes no event',
    async (change) => {
      const id = await failed(PAST)
      await setTeam(service.world, api.merchant.teamId, [change])
      const before = service.world.clock.now().getTime()
      expect(await retryDueInvoices(service.world)).toBe(0)
      const { due_at, ...row } = (await rowOf(id)) ?? {}
      expect(row).toEqual({ tries: 1, payment_id: null, retry_at: PAST, version: 1 })
      const waits = due_at.getTime() - before
      expect(waits).toBeGreaterThanOrEqual(5 * MINUTE)
      expect(waits).toBeLessThan(6 * MINUTE)
      expect(await invoiceEvents(service, id)).toHaveLength(1)
      await setTeam(service.world, api.merchant.teamId, ['status=active', 'enabled=true'])
      await service.world.db.query('UPDATE invoice SET due_at = $2 WHERE id = $1', [id, PAST])
      expect(await retryDueInvoices(service.world)).toBe(1)
      expect(await paymentsOf(id)).toMatchObject([{ invoice_try: 2 }])
    },
  )

  it('waits until a live account has a gateway', async () => {
    const id = await failed(PAST)
    await makeLive()
    expect(await retryDueInvoices(service.world)).toBe(0)
    expect(await paymentsOf(id)).toEqual([])
    expect((await rowOf(id))?.due_at.getTime()).toBeGreaterThan(PAST.getTime())
  })

  it('skips rows that others have locked', async () => {
    const id = await failed(PAST)
    const free = await failed(PAST)
    const sql = 'SELECT FROM invoice WHERE id = $1 FOR UPDATE'
    const locked = await holdLock(service.databaseUrl, sql, [id])
    expect(await retryDueInvoices(service.world)).toBe(1)
    expect(await paymentsOf(id)).toEqual([])
    expect(await paymentsOf(free)).toHaveLength(1)
    await locked.release()
    expect(await retryDueInvoices(service.world)).toBe(1)
  })

  it('waits for a deletion of the schedule, and retries nothing after that', async () => {
    const id = await failed(PAST)
    const schedule = await insertSchedule(api)
    const { query } = service.world.db
    await query('UPDATE invoice SET schedule_id = $2 WHERE id = $1', [id, schedule])
    const sql = `UPDATE schedule SET status = 'deleted', deleted_at = created_at WHERE id = $1`
    const deletion = await holdLock(service.databaseUrl, sql, [schedule])
    const round = retryDueInvoices(service.world)
    await deletion.untilWaiting(1)
    await deletion.release()
    expect(await round).toBe(1)
    expect(await paymentsOf(id)).toEqual([])
  })

  it('makes no second payment of a try, nor delays the others, whatever the row says', async () => {
    const id = await failed(PAST)
    expect(await retryDueInvoices(service.world)).toBe(1)
    const wrong =
      'UPDATE invoice SET payment_id = NULL, tries = 1, retry_at = $2, due_at = $2 WHERE id = $1'
    await service.world.db.query(wrong, [id, PAST])
    const other = await failed(PAST)
    expect(await retryDueInvoices(service.world)).toBe(2)
    expect(await paymentsOf(id)).toHaveLength(1)
    expect(await paymentsOf(other)).toHaveLength(1)
    // It is not due in each round from now on.
    expect(await rowOf(id)).toMatchObject({ retry_at: null, due_at: null, version: 3 })
    expect(await retryDueInvoices(service.world)).toBe(0)
    expectRefusal(await payInvoice(api, id), 409, 'payment_under_way')
  })

  it('handles hundreds, and beside other rounds each of them once', async () => {
    const id = await failed(PAST)
    await service.world.db.query(
      `INSERT INTO invoice SELECT (json_populate_record(v, json_build_object(
         'id', gen_random_uuid(), 'token', md5(n::text), 'retry_at', retry_at - n % 7 * interval '1 s',
         'due_at', due_at - n % 7 * interval '1 s'))).*
       FROM invoice v, generate_series(1, 449) AS n WHERE v.id = $1`,
      [id],
    )
    await using further = await openFurther(service)
    const worlds = [service.world, further.world, service.world, further.world]
    const counts = await Promise.all(worlds.map((world) => retryDueInvoices(world)))
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(450)
    const { accountId } = api.merchant
    expect(
      await service.world.db.query(
        `SELECT count(*)::integer AS payments, count(DISTINCT invoice_id)::integer AS invoices,
           (SELECT count(*)::integer FROM invoice v WHERE v.account_id = $1 AND due_at IS NULL
             AND tries = 2 AND EXISTS (SELECT FROM event e WHERE e.account_id = v.account_id
               AND e.resource_id = v.id::text AND e.sequence = 2)) AS events
         FROM transaction WHERE account_id = $1`,
        [accountId],
      ),
    ).toEqual([{ payments: 450, invoices: 450, events: 450 }])
  })

  describe('in an account with its own time', () => {
    const NOW = new Date('2031-05-06T07:08:09.000Z')

    const scope = () => ({ accountId: api.merchant.accountId, now: NOW })

    beforeEach(async () => {
      const clock = 'UPDATE account SET clock_at = $2 WHERE id = $1'
      await service.world.db.query(clock, [api.merchant.accountId, NOW])
    })

    it('begins the retries due by then, at that instant, and none of another account', async () => {
      const stranger = await service.merchant()
      const theirs = await payableInvoice(
        paymentsApiOf(service, stranger, await service.card(stranger)),
      )
      await toBeTriedAgain(service, theirs, PAST)
      const due = await failed(NOW, {}, false)
      const later = await failed(new Date(NOW.getTime() + 1), {}, false)
      expect(await retryDueInvoices(service.world, scope())).toBe(1)
      const [payment] = await paymentsOf(due)
      expect(payment).toMatchObject({ invoice_try: 2, created_at: NOW })
      expect(payment?.deadline_at).toEqual(new Date(NOW.getTime() + 60 * MINUTE))
      expect(Math.abs(payment?.due_at - service.world.clock.now().getTime())).toBeLessThan(MINUTE)
      expect((await invoice(due)).updated_at).toBe(NOW.toISOString())
      expect(await paymentsOf(later)).toEqual([])
      expect(await paymentsOf(theirs)).toEqual([])
      expect(await retryDueInvoices(service.world)).toBe(1)
      expect(await paymentsOf(theirs)).toHaveLength(1)
    })

    it('is not touched by the rounds of real time', async () => {
      const id = await failed(PAST, {}, false)
      expect(await retryDueInvoices(service.world)).toBe(0)
      expect(await paymentsOf(id)).toEqual([])
    })

    it('leaves waiting retries as they are', async () => {
      const id = await failed(PAST, {}, false)
      const before = await rowOf(id)
      await setTeam(service.world, api.merchant.teamId, ['enabled=false'])
      expect(await retryDueInvoices(service.world, scope())).toBe(0)
      expect(await rowOf(id)).toEqual(before)
    })
  })
})
