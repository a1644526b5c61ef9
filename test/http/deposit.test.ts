// Deposits, at the addresses that existing clients use.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import { insertBatch, OPEN } from '../support/batch-rows.ts'
import { recordsOf } from '../support/csv.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant } from '../support/test-service.ts'

describe('deposits', () => {
  let api: PaymentsApi
  let monday: string
  let tuesday: string

  const ask = (url: string, { headers }: Merchant = api.merchant) =>
    call(api.service.app, 'GET', url, headers)
  const idsOf = async (query: string) =>
    (await ask(`/query/deposit?${query}`)).body.data.map(({ id }: { id: string }) => id)

  beforeAll(async () => {
    api = await openPaymentsApi({ queues: ['charge', 'refund'], backend: 'postgres' })
    const { service, merchant } = api
    monday = await insertBatch(service, merchant, { count: 3, sales: 2_000, refunds: 1_000 })
    tuesday = await insertBatch(service, merchant, {
      business_date: '2026-01-06',
      created_at: '2026-01-06T15:00:00.000Z',
      cutoff_at: '2026-01-07T01:00:00.000Z',
      // No worker ran for two days.
      closed_at: '2026-01-09T08:00:00.000Z',
      deposit_at: '2026-01-07T14:00:00.000Z',
    })
    // These batches have no deposit: one is open, and one has no known date of its money.
    await insertBatch(service, merchant, { ...OPEN, business_date: '2026-01-07' })
    await insertBatch(service, merchant, { business_date: '2026-01-08', deposit_at: null })
  })
  afterAll(() => api.service.close())

  it('are the closed batches whose money has a date, the newest first', async () => {
    const { status, body } = await ask('/query/deposit')
    expect([status, body.total]).toEqual([200, 2])
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([tuesday, monday])
    expect(body.data[1]).toEqual({
      id: monday,
      batch_id: monday,
      business_date: '2026-01-05',
      batched_at: '2026-01-06T01:00:00.000Z',
      deposit_at: '2026-01-06T14:00:00.000Z',
      count: 3,
      sum: 10,
      sales: 20,
      refunds: 10,
      avg: 3.33,
      fees: null,
      net_after_fees: null,
    })
    const stranger = await api.service.merchant()
    expect((await ask('/query/deposit', stranger)).body.total).toBe(0)
  })

  it.each([
    ['startDate=2026-01-07', () => [tuesday]],
    ['end_date=2026-01-06', () => [monday]],
    ['startDate=2026-01-08', () => []],
    ['sort=sum&order=asc', () => [monday, tuesday]],
    ['sort=deposit_at&order=DSC&limit=1', () => [tuesday]],
  ])('are narrowed by their cutoffs, and sorted, by %s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids())
  })

  it('are a file too', async () => {
    const { headers, text } = await ask('/query/deposit?export=csv&order=asc')
    expect(headers['content-disposition']).toBe('attachment; filename="deposits.csv"')
    const [first, ...others] = recordsOf(text)
    expect([first?.batch_id, first?.sum, first?.refunds]).toEqual([monday, '10.00', '10.00'])
    expect(others).toHaveLength(1)
    const { body } = await ask('/query/deposit?order=asc')
    expect(Object.keys(first ?? {})).toEqual(Object.keys(body.data[0]))
    expect(first?.avg).toBe(body.data[0].avg.toFixed(2))
  })

  it('show their transactions, and the amount of each part', async () => {
    const sold = await api.paid()
    await takeIntoBatch(api.service, [sold])
    const closed = await ask(`/transaction/${sold}`)
    const { batch_id } = closed.body
    for (const name of ['batch_id', 'batchId', 'id']) {
      const { status, body } = await ask(`/query/depositDetail?${name}=${batch_id.toUpperCase()}`)
      expect([status, body.total]).toEqual([200, 1])
      expect(body.data[0]).toMatchObject({
        transaction_id: sold,
        batch_id,
        batched_at: closed.body.batched_at,
        type: 'charge',
        total: closed.body.total,
        net: closed.body.total,
        last_four: '1111',
        card_type: 'visa',
        auth_id: closed.body.auth_id,
      })
    }
    const file = await ask(`/query/depositDetail?id=${batch_id}&export=csv`)
    const listed = await ask(`/query/depositDetail?id=${batch_id}`)
    const [line, ...rest] = recordsOf(file.text)
    expect(rest).toEqual([])
    expect(Object.keys(line ?? {})).toEqual(Object.keys(listed.body.data[0]))
    expect(line).toMatchObject({ transaction_id: sold, net: closed.body.total.toFixed(2) })
    const before = await ask(`/query/depositDetail?id=${batch_id}&endDate=2020-01-01`)
    expect([before.status, before.body.total]).toEqual([200, 0])
    const none = await ask(`/query/depositDetail?id=${batch_id}&endDate=2020-01-01&export=csv`)
    expectRefusal(none, 404, 'not_found')
    const since = await ask(`/query/depositDetail?id=${batch_id}&startDate=2020-01-01`)
    expect([since.status, since.body.total]).toEqual([200, 1])
  })

  it('are found one at a time', async () => {
    const detail = (query: string, whose?: Merchant) => ask(`/query/depositDetail?${query}`, whose)
    expectRefusal(await detail('startDate=2026-01-01'), 400, 'invalid_request', ['batch_id'])
    const two = await detail(`id=${monday}&batchId=${tuesday}`)
    expectRefusal(two, 400, 'invalid_request', ['batch_id'])
    expectRefusal(await detail('id=x'), 400, 'invalid_id', ['id'])
    const open = await insertBatch(api.service, api.merchant, {
      ...OPEN,
      business_date: '2026-01-09',
    })
    expectRefusal(await detail(`id=${open}`), 404, 'not_found')
    const stranger = await api.service.merchant()
    expectRefusal(await detail(`id=${monday}`, stranger), 404, 'not_found')
  })
})
