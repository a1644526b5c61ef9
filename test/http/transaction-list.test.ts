import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { type Answer, call } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

describe('the list of transactions', () => {
  let api: PaymentsApi
  /** The transactions by the test's own names. */
  const made = new Map<string, Answer['body']>()

  const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) =>
    call(api.service.app, method, url, api.merchant.headers, body)

  const list = (query = '') => ask('GET', `/transaction${query}`)

  const namesOf = ({ body }: Answer): readonly string[] =>
    body.data.map(({ id }: { id: string }) => [...made].find(([, one]) => one.id === id)?.[0])

  const keep = (name: string, body: Answer['body']) => made.set(name, body)

  const fieldOf = (name: string, field: string) => String(made.get(name)?.[field])

  beforeAll(async () => {
    api = await openPaymentsApi({ queues: ['charge', 'refund'] })
    const { service, merchant } = api
    const declining = await service.card(merchant, DECLINED_CARD)
    const body = { firstname: 'Zoë', lastname: 'Quill', email: 'zoe@quill.example' }
    const customer = (await ask('POST', '/customer', body)).body
    keep('small', (await api.charge({ total: 1.5, idempotency_id: 'order-7' })).body)
    keep('declined', (await api.charge({ total: 300, payment_method_id: declining })).body)
    keep(
      'held',
      (await api.charge({ total: 20, pre_auth: true, meta: { poNumber: 'PO-2024/7' } })).body,
    )
    keep('silent', (await api.charge({ total: 763.64 }, { prefer: 'respond-async' })).body)
    const cash = { total: 40, type: 'charge', method: 'cash', customer_id: customer.id }
    const words = { source: 'Till 4', message: 'Paid at the desk', meta: { reference: 90210 } }
    keep('by hand', (await ask('POST', '/transaction', { ...cash, ...words })).body)
    await api.ask(fieldOf('held', 'id'), 'capture', { total: 8 })
    keep('captured', await api.childOf(fieldOf('held', 'id'), 'capture'))
    keep('voided', (await api.charge({ total: 5 })).body)
    await api.ask(fieldOf('voided', 'id'), 'void')
    keep('void', await api.childOf(fieldOf('voided', 'id'), 'void'))
  })
  afterAll(() => api.service.close())

  it('begins with the newest, each as GET shows it, with its children', async () => {
    const { status, body } = await list()
    expect([status, body.total, body.last_page]).toEqual([200, 6, 1])
    expect(namesOf({ body } as Answer)).toEqual([
      'voided',
      'by hand',
      'silent',
      'held',
      'declined',
      'small',
    ])
    for (const one of body.data) {
      expect(one).toEqual((await ask('GET', `/transaction/${one.id}`)).body)
    }
    expect(body.data[0].child_transactions).toHaveLength(1)
    expect(body.data[3].child_captures).toHaveLength(1)
  })

  it.each([
    ['?all=1', 8],
    ['?all=true', 8],
    ['?all=0', 6],
    ['?allTransactionsTopLevel=1', 8],
    ['?status=all&user_id=1&meta=x', 6],
  ])('has the children too with %s', async (query, total) => {
    expect((await list(query)).body.total).toBe(total)
  })

  it.each<[string, readonly string[]]>([
    ['type=charge', ['voided', 'by hand', 'silent', 'declined', 'small']],
    ['type=pre_auth', ['held']],
    ['type=pre%20auth', ['held']],
    ['type=capture', ['captured']],
    ['type=void', ['void']],
    ['type=refund', []],
    ['type=credit', []],
    ['status=FAILED', ['declined']],
    ['status=PENDING', ['silent']],
    ['success=true&type=charge', ['voided', 'by hand', 'small']],
    ['success=0', ['declined']],
    ['success=1&status=FAILED', []],
    ['method=cash', ['by hand']],
    ['method=bank', []],
    ['is_manual=true', ['by hand']],
    ['is_manual=0&status=SUCCESS', ['voided', 'held', 'small']],
    ['pre_auth=1', ['held']],
    ['pre_auth=false&status=PENDING', ['silent']],
    ['minTotal=40&status=PENDING', ['silent']],
    ['last_four=1881&status=PENDING', []],
    ['total=1.5', ['small']],
    ['total=1.50&minTotal=1&maxTotal=2', ['small']],
    ['total=1.5&minTotal=2', []],
    ['minTotal=40', ['silent', 'by hand', 'declined']],
    ['maxTotal=5', ['voided', 'small']],
    ['minTotal=5&maxTotal=40&is_manual=0', ['voided', 'held']],
    ['last_four=1881', ['declined']],
    ['last_four=9999', []],
    ['keywords=quill', ['by hand']],
    ['keywords=ZOE%40quill', ['by hand']],
    ['keywords=desk&keywords=till', ['by hand']],
    ['keywords[]=desk&keywords[]=nobody', []],
    ['keywords=declined', ['declined']],
    ['keywords=1881', ['declined']],
    ['keywords=order-7', ['small']],
    ['keywords=order', []],
    ['keywords=po-2024%2f7', ['held']],
    ['keywords=PO-2024', []],
    ['keywords=90210', ['by hand']],
    ['keywords=lovelace&type=pre_auth', ['held']],
    ['start_date=2001-01-01&end_date=2001-12-31', []],
    ['start_date=2001-01-01&type=pre_auth', ['held']],
    ['startDate=2001-01-01&start_date=2001-01-01&type=pre_auth', ['held']],
    ['endDate=2001-01-01 10:00:00', []],
    ['endDate=2099-01-01T00:00:00%2B02:00&type=pre_auth', ['held']],
    [`customer_id=${UNKNOWN}`, []],
    [`invoice_id=${UNKNOWN}`, []],
    [`schedule_id=${UNKNOWN}`, []],
    [`batch_id=${UNKNOWN}`, []],
    [`payment_link_id=${'0'.repeat(32)}`, []],
  ])('is narrowed by %s', async (query, names) => {
    const answer = await list(`?${query}`)
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    expect([...namesOf(answer)].sort()).toEqual([...names].sort())
    expect(answer.body.total).toBe(names.length)
  })

  it.each([
    ['customer_id', 'by hand', ['by hand']],
    ['customer_id', 'declined', ['declined']],
    ['payment_method_id', 'small', ['held', 'silent', 'small', 'voided']],
    ['payment_method_id', 'by hand', ['by hand']],
  ])('is narrowed by the %s of %s, in any case', async (field, name, names) => {
    const answer = await list(`?${field}=${fieldOf(name, field).toUpperCase()}`)
    expect([...namesOf(answer)].sort()).toEqual(names)
  })

  it('finds a transaction by its own ids', async () => {
    for (const name of ['small', 'captured', 'void']) {
      const one = await list(`?all=1&keywords=${fieldOf(name, 'id').toUpperCase()}`)
      expect(namesOf(one)).toContain(name)
      const known = (await ask('GET', `/transaction/${fieldOf(name, 'id')}`)).body.auth_id
      expect(namesOf(await list(`?all=1&keywords=${known}`))).toContain(name)
    }
  })

  it.each<[string, readonly string[]]>([
    ['sort=total&order=asc', ['small', 'voided', 'held', 'by hand', 'declined', 'silent']],
    ['sort=total', ['silent', 'declined', 'by hand', 'held', 'voided', 'small']],
    ['sort=created_at&order=asc', ['small', 'declined', 'held', 'silent', 'by hand', 'voided']],
    ['sort=updated_at&order=desc&limit=1', ['voided']],
    ['sort=status&order=ASC', ['declined', 'silent', 'small', 'held', 'by hand', 'voided']],
    ['sort=status&order=desc', ['voided', 'by hand', 'held', 'small', 'silent', 'declined']],
    ['sort=last_four&order=asc', ['small', 'held', 'silent', 'voided', 'declined', 'by hand']],
    ['sort=last_four&order=desc', ['declined', 'voided', 'silent', 'held', 'small', 'by hand']],
  ])('is sorted by %s, nulls last', async (query, names) => {
    const found = namesOf(await list(`?${query}`))
    expect(found).toEqual(names)
  })

  it.each<[string, readonly string[]]>([
    ['colour=green&limit=0&type=x', ['colour', 'limit', 'type']],
    ['status=failed&method=coins&success=maybe', ['method', 'status', 'success']],
    ['total=0&minTotal=-1&maxTotal=1.234', ['maxTotal', 'minTotal', 'total']],
    ['customer_id=x&sort=id', ['customer_id', 'sort']],
    ['start_date=yesterday&end_date=2026-02-30', ['end_date', 'start_date']],
    ['start_date=2026-01-01&startDate=2026-01-02', ['start_date']],
    ['end_date=2026-01-01&endDate=2026-01-01 00:00:00', ['end_date']],
    ['export=xlsx', ['export']],
    ['all=yes', ['all']],
  ])('refuses %s, and names all faulty fields', async (query, fields) => {
    expectRefusal(await list(`?${query}`), 400, 'invalid_request', fields)
  })

  it('shows nothing of another account', async () => {
    const other = await api.service.merchant()
    const { app } = api.service
    for (const query of [
      '',
      `?customer_id=${fieldOf('small', 'customer_id')}`,
      '?keywords=quill',
    ]) {
      const answer = await call(app, 'GET', `/transaction${query}`, other.headers)
      expect(answer.body).toMatchObject({ total: 0, data: [] })
    }
  })
})
