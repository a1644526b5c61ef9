import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BatchFields, insertBatch } from '../support/batch-rows.ts'
import { recordsOf } from '../support/csv.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal, send } from '../support/requests.ts'
import { call } from '../support/test-service.ts'

const NAMES =
  'id,business_date,cutoff_at,status,count,sales,refunds,net,created_at,closed_at,deposit_at,fees,net_after_fees'

/** More batches than one piece of the file holds. */
const OLD = 600

describe('the export of batches', () => {
  let api: PaymentsApi

  const ask = (url: string) => call(api.service.app, 'GET', url, api.merchant.headers)

  const records = async (url: string) => {
    const { status, text } = await ask(url)
    expect(status).toBe(200)
    return recordsOf(text)
  }

  beforeAll(async () => {
    api = await openPaymentsApi({ queues: ['charge'], backend: 'postgres' })
    const { service, merchant } = api
    const loss: Partial<BatchFields> = { count: 2, sales: 1_050, refunds: 2_000 }
    await insertBatch(service, merchant, loss)
    await service.world.db.query(FILL, [merchant.accountId, OLD])
    expect((await api.charge({ total: 12.5 })).status).toBe(200)
  })
  afterAll(() => api.service.close())

  it('is a text file whose first line has the names', async () => {
    const { headers, text } = await ask('/batch?export=csv')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="batches.csv"')
    expect(text.split('\n')[0]).toBe(NAMES)
    expect(text.endsWith('\n')).toBe(true)
  })

  it('has the rows of the list, in its order, with the open batch as well', async () => {
    const query = 'sort=business_date&order=desc'
    const lines = await records(`/batch?export=csv&${query}`)
    expect(lines).toHaveLength(OLD + 2)
    const { data } = (await ask(`/batch?${query}&limit=3`)).body
    for (const [i, batch] of data.entries()) {
      const text = (value: unknown) => (value === null ? '' : String(value))
      const cells = Object.entries(batch).map(([name, value]) =>
        /^(sales|refunds|net)$/.test(name) ? [name, Number(value).toFixed(2)] : [name, text(value)],
      )
      expect(lines[i]).toEqual(Object.fromEntries(cells))
    }
    expect(lines[0]).toMatchObject({ status: 'open', count: '1', net: '12.50', closed_at: '' })
    expect(lines[1]).toMatchObject({ sales: '10.50', refunds: '20.00', net: '-9.50' })
  })

  it('has each batch once, and is complete whatever page is asked for', async () => {
    const lines = await records('/batch?export=csv&limit=1&page=2')
    expect(new Set(lines.map(({ id }) => id)).size).toBe(OLD + 2)
  })

  it('is narrowed as the list is', async () => {
    expect(await records('/batch?export=csv&status=open')).toHaveLength(1)
    const span = 'start_date=2001-01-01&end_date=2001-01-10'
    expect(await records(`/batch?export=csv&${span}`)).toHaveLength(10)
    expect(await records('/batch?export=csv&status=closing')).toEqual([])
    expect((await ask('/batch?export=csv&status=closing')).text).toBe(`${NAMES}\n`)
    expectRefusal(await ask('/batch?export=csv&kind=x'), 400, 'invalid_request', ['kind'])
  })

  it('answers HEAD without making the file', async () => {
    const { headers } = api.merchant
    const url = '/batch?export=csv'
    const head = await send(api.service.app, { method: 'HEAD', url, headers })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(head.headers).not.toHaveProperty('content-length')
  })

  describe("the export of a batch's transactions", () => {
    let url: string
    let data: readonly Readonly<Record<string, unknown>>[]

    beforeAll(async () => {
      const { app } = api.service
      const { headers } = api.merchant
      const name = { firstname: '=cmd|calc', lastname: 'O"Hara, Ada' }
      const method = { method: 'card', person_name: 'Ada', card_number: '5555555555554444' }
      const customer = await call(app, 'POST', '/customer', headers, name)
      const card = await call(app, 'POST', '/payment-method', headers, {
        ...method,
        customer_id: customer.body.id,
        card_exp: '1239',
      })
      const sold = { total: 7.1, payment_method_id: card.body.id, meta: { a: ['x,y', 1.5] } }
      expect((await api.charge(sold)).status).toBe(200)
      const [open] = (await ask('/batch?status=open')).body.data
      url = `/batch/${open.id}/transaction`
      data = (await ask(`${url}?sort=total`)).body.data
    })

    it('has the transactions of the batch, as the export of transactions has them', async () => {
      const { headers, text } = await ask(`${url}?export=csv&sort=total&limit=1`)
      expect(headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="batch-\d{4}-\d\d-\d\d\.csv"$/,
      )
      const lines = recordsOf(text)
      expect(lines.map(({ id, total }) => [id, total])).toEqual([
        [data[0]?.id, '12.50'],
        [data[1]?.id, '7.10'],
      ])
      const all = (await ask('/transaction?export=csv&sort=total')).text
      expect(text).toBe(all)
    })

    it('keeps text as it is, except for text that a spreadsheet would run', async () => {
      const [, line] = await records(`${url}?export=csv&sort=total`)
      const names = { customer_firstname: "'=cmd|calc", customer_lastname: 'O"Hara, Ada' }
      expect(line).toMatchObject(names)
      expect(JSON.parse(line?.meta ?? '')).toEqual({ a: ['x,y', 1.5] })
    })

    it('is refused before it begins if there is no such batch', async () => {
      const unknown = '/batch/01941f29-7c00-7000-8000-000000000001/transaction?export=csv'
      const answer = await ask(unknown)
      expectRefusal(answer, 404, 'not_found')
      expect(answer.headers['content-disposition']).toBeUndefined()
    })
  })
})

/** One batch a day since 2000. */
const FILL = `
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, status, count, sales,
    refunds, created_at, closed_at, deposit_at)
  SELECT $1, gen_random_uuid(), date '2000-01-01' + n, timestamptz '2000-01-02' + n * interval '1 day',
    'UTC', 'closed', 1, n, 0, timestamptz '2000-01-01', timestamptz '2005-01-01',
    timestamptz '2005-01-01'
  FROM generate_series(1, $2::integer) n`
