import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import { insertBatch } from '../support/batch-rows.ts'
import { newPaymentsApi, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { type Answer, call } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

/** The local date of the next 20:00 in New York. */
function dayOfBusiness(at: Date): string {
  const zone = { timeZone: 'America/New_York' } as const
  const hour = new Intl.DateTimeFormat('en-US', { ...zone, hour: 'numeric', hourCycle: 'h23' })
  const next = Number(hour.format(at)) >= 20 ? at.getTime() + 24 * 3_600_000 : at
  return new Intl.DateTimeFormat('en-CA', { ...zone, dateStyle: 'short' }).format(next)
}

describe('a batch', () => {
  let service: PaymentsApi['service']

  beforeAll(async () => {
    ;({ service } = await openPaymentsApi({ queues: ['charge', 'refund'], backend: 'postgres' }))
  })
  afterAll(() => service.close())

  const query = (text: string, ...values: unknown[]) => service.world.db.query(text, values)

  const newApi = () => newPaymentsApi(service)

  const ask = ({ merchant }: PaymentsApi, url: string): Promise<Answer> =>
    call(service.app, 'GET', url, merchant.headers)

  const batches = async (api: PaymentsApi, search = '') =>
    (await ask(api, `/batch${search}`)).body.data

  async function idsIn(api: PaymentsApi, batch: string): Promise<readonly string[]> {
    const { body } = await ask(api, `/batch/${batch}/transaction?order=asc`)
    expect(body.total).toBe(body.data.length)
    return body.data.map(({ id }: { id: string }) => id)
  }

  /** Freezes and closes the batch, as a closing does. */
  const freeze = (id: string) =>
    query("UPDATE batch SET status = 'closing', closed_at = cutoff_at WHERE id = $1", id)
  const close = (id: string, count: number, cents: number) =>
    query(
      `UPDATE batch SET status = 'closed', count = $2, sales = $3, deposit_at = closed_at + interval '3 days'
       WHERE id = $1`,
      id,
      count,
      cents,
    )

  it('does not exist before the first sale', async () => {
    const api = await newApi()
    const { headers } = api.merchant
    await api.authorised()
    await api.charge({ payment_method_id: await service.card(api.merchant, DECLINED_CARD) })
    const { body } = await call(service.app, 'POST', '/customer', headers, { firstname: 'Ada' })
    const manual = { total: 3, type: 'charge', method: 'cash', customer_id: body.id }
    expect((await call(service.app, 'POST', '/transaction', headers, manual)).status).toBe(200)
    expect((await ask(api, '/transaction')).body.total).toBe(3)
    expect((await ask(api, '/batch')).body).toMatchObject({ data: [], total: 0, last_page: 1 })
    await api.paid()
    expect(await batches(api)).toMatchObject([{ count: 1, sales: 10 }])
  })

  it('that is open shows what it would take now', async () => {
    const api = await newApi()
    const first = await api.paid({ total: 12.5 })
    const second = await api.paid({ total: 0.01 })
    const auth = await api.authorised({ total: 20 })
    await api.ask(auth, 'capture', { total: 7 })
    const capture = (await api.childOf(auth, 'capture')).id
    const voided = await api.paid({ total: 99 })
    await api.ask(voided, 'void')
    await api.charge({ payment_method_id: await service.card(api.merchant, DECLINED_CARD) })

    const [batch, ...more] = await batches(api)
    expect(more).toEqual([])
    const date = dayOfBusiness(new Date(batch.created_at))
    expect(batch).toEqual({
      id: expect.any(String),
      business_date: date,
      cutoff_at: expect.any(String),
      status: 'open',
      count: 3,
      sales: 19.51,
      refunds: 0,
      net: 19.51,
      created_at: expect.any(String),
      closed_at: null,
      deposit_at: null,
      fees: null,
      net_after_fees: null,
    })
    const shown = new Date(batch.cutoff_at).toLocaleString('sv-SE', {
      timeZone: 'America/New_York',
    })
    expect(shown).toBe(`${date} 20:00:00`)
    expect((await ask(api, `/batch/${batch.id}`)).body).toEqual(batch)
    expect((await ask(api, `/batch/${batch.id.toUpperCase()}`)).body).toEqual(batch)
    expect(await idsIn(api, batch.id)).toEqual([first, second, capture])
  })

  it('is gone when all of its transactions were voided', async () => {
    const api = await newApi()
    const only = await api.paid()
    const [batch] = await batches(api)
    await api.ask(only, 'void')
    expect(await batches(api)).toEqual([])
    expectRefusal(await ask(api, `/batch/${batch.id}`), 404, 'not_found')
    expectRefusal(await ask(api, `/batch/${batch.id}/transaction`), 404, 'not_found')
    await api.paid({ total: 4 })
    expect(await batches(api)).toEqual([{ ...batch, sales: 4, net: 4 }])
  })

  it('leaves out a transaction that is being voided, until the void has failed', async () => {
    const api = await newApi()
    const [kept, held] = [await api.paid(), await api.paid({ total: 5 })]
    const [batch] = await batches(api)
    await query('UPDATE transaction SET void_id = $2 WHERE id = $1', held, service.world.newId())
    expect(await batches(api)).toMatchObject([{ count: 1, sales: 10 }])
    expect(await idsIn(api, batch.id)).toEqual([kept])
    await query('UPDATE transaction SET void_id = NULL WHERE id = $1', held)
    expect(await batches(api)).toMatchObject([{ count: 2, sales: 15 }])
    expect(await idsIn(api, batch.id)).toEqual([kept, held])
  })

  it('shows the same while it closes and once it is closed', async () => {
    const api = await newApi()
    const ids = [await api.paid(), await api.paid(), await api.paid()]
    const [open] = await batches(api)
    await freeze(open.id)
    expect(await batches(api)).toEqual([{ ...open, status: 'closing' }])
    expect((await ask(api, `/batch/${open.id}`)).body).toEqual({ ...open, status: 'closing' })
    expect(await idsIn(api, open.id)).toEqual(ids)
    await close(open.id, 3, 3_000)
    const [closed] = await batches(api)
    const { closed_at: closedAt, deposit_at: depositAt } = closed
    expect(closed).toEqual({
      ...open,
      status: 'closed',
      closed_at: closedAt,
      deposit_at: depositAt,
    })
    expect([closedAt, depositAt]).toEqual([open.cutoff_at, expect.any(String)])
    expect(await idsIn(api, open.id)).toEqual(ids)
    const { body } = await ask(api, `/batch/${open.id}/transaction`)
    for (const one of body.data) {
      const settled = { batch_id: open.id, batched_at: closedAt, settled_at: closedAt }
      expect(one).toMatchObject({ ...settled, is_voidable: false })
    }
  })

  it('shows the same after the account is settled as before', async () => {
    const api = await newApi()
    const ids = [await api.paid({ total: 2.5 }), await api.paid({ total: 4 })]
    await api.ask(await api.paid({ total: 99 }), 'void')
    const [open] = await batches(api)
    const { accountId } = api.merchant
    await query('UPDATE account SET clock_at = $2 WHERE id = $1', accountId, open.cutoff_at)
    await settleAccount(service.world, { accountId, now: new Date(open.cutoff_at) })
    const [closed, ...more] = await batches(api)
    expect(more).toEqual([])
    const { closed_at: closedAt, deposit_at: depositAt } = closed
    expect(closed).toEqual({
      ...open,
      status: 'closed',
      closed_at: closedAt,
      deposit_at: depositAt,
    })
    expect(new Date(depositAt).getTime()).toBeGreaterThan(new Date(open.cutoff_at).getTime())
    expect(await idsIn(api, open.id)).toEqual(ids)
    const taken = await ask(api, `/transaction?batch_id=${open.id}&order=asc`)
    const listed = await ask(api, `/batch/${open.id}/transaction?order=asc`)
    expect(listed.body.data).toEqual(taken.body.data)
    expect(taken.body.data).toMatchObject(ids.map((id) => ({ id, batched_at: closedAt })))
  })

  it('that is closed takes nothing more, even with its date', async () => {
    const api = await newApi()
    const [taken, left] = [await api.paid(), await api.paid({ total: 5 })]
    const [batch] = await batches(api)
    await query('UPDATE transaction SET void_id = $2 WHERE id = $1', left, service.world.newId())
    await freeze(batch.id)
    await close(batch.id, 1, 1_000)
    const free = query('UPDATE transaction SET void_id = NULL WHERE id = $1', left)
    await expect(free).rejects.toThrow('is of a batch that is not open')
    expect(await batches(api)).toMatchObject([{ id: batch.id, count: 1, sales: 10, net: 10 }])
    expect(await idsIn(api, batch.id)).toEqual([taken])
  })

  it('counts refunds beside sales, and may have a negative net', async () => {
    const api = await newApi()
    const sold = await api.paid({ total: 30 })
    const day = { business_date: '2026-01-05', sales: 3_000 }
    await query("UPDATE transaction SET business_date = '2026-01-05' WHERE id = $1", sold)
    const old = await insertBatch(service, api.merchant, day)
    expect((await api.ask(sold, 'refund', { total: 20.5 })).status).toBe(200)
    const refund = (await api.childOf(sold, 'refund')).id
    const [today] = await batches(api, '?status=open')
    expect(today).toMatchObject({ count: 1, sales: 0, refunds: 20.5, net: -20.5 })
    expect(await idsIn(api, today.id)).toEqual([refund])
    expect(await idsIn(api, old)).toEqual([sold])
    const cent = await api.paid({ total: 0.5 })
    expect((await ask(api, `/batch/${today.id}`)).body).toMatchObject({ count: 2, net: -20 })
    expect(await idsIn(api, today.id)).toEqual([refund, cent])
  })

  it('is visible to its account only, and only by a right id', async () => {
    const api = await newApi()
    await api.paid()
    const [batch] = await batches(api)
    const other = await newApi()
    expect(await batches(other)).toEqual([])
    for (const url of [`/batch/${batch.id}`, `/batch/${batch.id}/transaction`]) {
      expectRefusal(await ask(other, url), 404, 'not_found')
      expectRefusal(await ask(api, url.replace(batch.id, UNKNOWN)), 404, 'not_found')
      expectRefusal(await ask(api, url.replace(batch.id, 'x')), 400, 'invalid_id')
    }
  })

  describe("the pages of a batch's transactions", () => {
    let api: PaymentsApi
    let batch: string
    const totals = [3, 1, 2, 2, 5]

    beforeAll(async () => {
      api = await newApi()
      const amex = await service.card(api.merchant, '378282246310005')
      for (const [i, total] of totals.entries()) {
        const card = i % 2 === 0 ? api.card : amex
        expect((await api.charge({ total, payment_method_id: card })).status).toBe(200)
      }
      batch = (await batches(api))[0].id
    })

    const list = async (search: string) =>
      (await ask(api, `/batch/${batch}/transaction${search}`)).body

    it.each([
      ['?sort=total&order=asc', 'total', [1, 2, 2, 3, 5]],
      ['?sort=total', 'total', [5, 3, 2, 2, 1]],
      ['?sort=created_at&order=asc', 'total', totals],
      ['', 'total', [...totals].reverse()],
      ['?sort=updated_at&order=asc', 'total', totals],
      ['?sort=last_four&order=asc', 'last_four', ['0005', '0005', '1111', '1111', '1111']],
      ['?sort=status', 'status', totals.map(() => 'SUCCESS')],
      ['?sort=total&order=asc&limit=2&page=2', 'total', [2, 3]],
      ['?sort=total&order=asc&per_page=4&page=2', 'total', [5]],
      ['?page=9', 'total', []],
    ])('of the query %s', async (search, field, expected) => {
      const { data, total } = await list(search)
      expect(data.map((one: Record<string, unknown>) => one[field])).toEqual(expected)
      expect(total).toBe(totals.length)
    })

    it('show each transaction as GET /transaction/{id} does', async () => {
      const { data } = await list('?limit=1')
      expect(data[0]).toEqual((await api.get(data[0].id)).body)
    })

    it('have addresses that lead on', async () => {
      const first = await list('?limit=3&sort=total')
      expect(first).toMatchObject({ total: 5, last_page: 2, from: 1, to: 3, prev_page_url: null })
      const { pathname, search } = new URL(first.next_page_url)
      expect(pathname).toBe(`/batch/${batch}/transaction`)
      expect((await list(search)).data).toHaveLength(2)
    })

    it.each([
      ['?type=charge', ['type']],
      ['?sort=net&limit=0', ['limit', 'sort']],
      ['?export=pdf', ['export']],
    ])('are refused for %s', async (search, fields) => {
      const answer = await ask(api, `/batch/${batch}/transaction${search}`)
      expectRefusal(answer, 400, 'invalid_request', fields)
    })
  })
})
