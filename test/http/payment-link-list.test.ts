import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const PATH = '/query/payment-links'

/** From the oldest to the newest, with characters that are special in a search. */
const LINKS = [
  { common_name: 'Coffee', amount: 12.5, link_meta: { memo: 'Beans from the hills' } },
  { common_name: 'Donation', active: false, link_meta: { memo: 'Whatever 100%' } },
  { common_name: 'tea', amount: 3, meta: { memo: 'coffee' } },
  { common_name: 'Tea', amount: 12.5, active: false, link_meta: { note: 'beans' } },
  { common_name: 'A_B \\ C', link_meta: { memo: 'It\'s 5" long' } },
]

/** The same query in an address and in a body. */
const WAYS = ['GET', 'POST'] as const

describe.each(WAYS)('the list of payment links, by %s', (method) => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    for (const link of LINKS) {
      await call(service.app, 'POST', '/payment-link', merchant.headers, link)
    }
    await service.world.db.query(
      `UPDATE payment_link SET total_sales = length(common_name) * 100,
         total_transactions = CASE WHEN active THEN 2 ELSE 1 END`,
    )
  })
  afterAll(() => service.close())

  function list(query: string, headers: object = merchant.headers): Promise<Answer> {
    const sent = new URLSearchParams(query)
    const body = Object.fromEntries(
      [...sent.keys()].map((name) => {
        const values = sent.getAll(name)
        return [name, values.length === 1 ? values[0] : values]
      }),
    )
    return method === 'GET'
      ? call(service.app, 'GET', `${PATH}?${query}`, { ...headers })
      : call(service.app, 'POST', PATH, { ...headers }, body)
  }

  const namesOf = ({ body }: Answer): readonly string[] =>
    body.data.map((link: { common_name: string }) => link.common_name)

  it('begins with the newest, in one envelope', async () => {
    const { status, body } = await list('')
    expect([status, namesOf({ body } as Answer)]).toEqual([
      200,
      ['A_B \\ C', 'Tea', 'tea', 'Donation', 'Coffee'],
    ])
    expect({ ...body, data: [] }).toEqual({
      data: [],
      total: 5,
      per_page: 50,
      current_page: 1,
      last_page: 1,
      from: 1,
      to: 5,
      next_page_url: null,
      prev_page_url: null,
    })
    const url = `${PATH}/${body.data[0].id}`
    expect((await call(service.app, 'GET', url, merchant.headers)).body).toEqual(body.data[0])
  })

  it('is not narrowed by meta, whatever is in it', async () => {
    const body = { meta: { toString: 'odd' }, user_id: 'u', per_page: 2 }
    const answer = await call(service.app, 'POST', PATH, merchant.headers, body)
    expect([answer.status, answer.body.total]).toEqual([200, 5])
    expect(answer.body.next_page_url).not.toMatch(/meta|user_id/)
  })

  it('has nothing of another account', async () => {
    const stranger = await service.merchant()
    const { body } = await list('', stranger.headers)
    expect(body).toMatchObject({ data: [], total: 0, last_page: 1, from: null, to: null })
  })

  it.each([
    ['active=1', ['A_B \\ C', 'tea', 'Coffee']],
    ['active=0', ['Tea', 'Donation']],
    ['active=0&user_id=1', ['Tea', 'Donation']],
    ['amount=12.5', ['Tea', 'Coffee']],
    ['amount=12.50', ['Tea', 'Coffee']],
    ['amount=3', ['tea']],
    ['amount=4', []],
    ['amount=0', ['A_B \\ C', 'Donation']],
    ['common_name=TEA', ['Tea', 'tea']],
    ['common_name=te', []],
    ['common_name=%25', []],
    ['common_name=t__', []],
    ['common_name=a_b+%5C+c', ['A_B \\ C']],
    ['common_name=tea&active=1&amount=3', ['tea']],
    ['keywords=coff', ['Coffee']],
    ['keywords=BEANS', ['Coffee']],
    ['keywords=100%25', ['Donation']],
    ['keywords=%25', ['Donation']],
    ['keywords=_', ['A_B \\ C']],
    ['keywords=%5C', ['A_B \\ C']],
    ['keywords=5%22', ['A_B \\ C']],
    ["keywords=It's", ['A_B \\ C']],
    ['keywords=coffee&keywords=hills', ['Coffee']],
    ['keywords=coffee&keywords=tea', []],
    ['keywords=coffee+beans', []],
    ['keywords=tea&active=0', ['Tea']],
  ])('is narrowed by %s', async (query, names) => {
    const answer = await list(query)
    expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
    expect(namesOf(answer)).toEqual(names)
    expect(answer.body.total).toBe(names.length)
  })

  it.each([
    ['sort=created_at&order=ASC', 'common_name', ['Coffee', 'Donation', 'tea', 'Tea', 'A_B \\ C']],
    ['order=asc', 'common_name', ['Coffee', 'Donation', 'tea', 'Tea', 'A_B \\ C']],
    ['sort=common_name&order=asc', 'common_name', ['A_B \\ C', 'Coffee', 'Donation', 'Tea', 'tea']],
    ['sort=common_name', 'common_name', ['tea', 'Tea', 'Donation', 'Coffee', 'A_B \\ C']],
    ['sort=amount&order=Asc', 'amount', [3, 12.5, 12.5, null, null]],
    ['sort=amount&order=DESC', 'amount', [12.5, 12.5, 3, null, null]],
    ['sort=total_sales&order=asc', 'total_sales', [3, 3, 6, 7, 8]],
    ['sort=total_sales', 'total_sales', [8, 7, 6, 3, 3]],
    ['sort=total_transactions&order=asc', 'total_transactions', [1, 1, 2, 2, 2]],
    ['sort=total_transactions', 'total_transactions', [2, 2, 2, 1, 1]],
  ])('is sorted by %s, nulls last', async (query, field, values) => {
    const { body } = await list(query)
    expect(body.data.map((link: Record<string, unknown>) => link[field])).toEqual(values)
  })

  it.each([
    ...['limit=0', 'limit=201', 'limit=-1', 'limit=1.5', 'limit=', 'limit=ten'],
    ...['per_page=0', 'per_page=201', 'page=0', 'page=-1', 'page=1.5', 'page=', 'page=x'],
    ...['page=99999999999999999999', 'sort=id', 'sort=updated_at', 'order=up'],
    ...['amount=', 'amount=x', 'amount=-1', 'amount=1.234'],
    ...['active=yes', 'active=2', 'amount=100000000', 'common_name=%00'],
  ])('refuses %s', async (query) => {
    const [field = ''] = query.split('=')
    const answer = await list(query)
    expectRefusal(answer, 400, 'invalid_request')
    expect(Object.keys(answer.body.errors)).toEqual([expect.stringContaining(field)])
  })

  it('reports every fault at once', async () => {
    const answer = await list('limit=0&page=x&sort=y&order=z&amount=-1&active=maybe')
    const fields = ['active', 'amount', 'limit', 'order', 'page', 'sort']
    expectRefusal(answer, 400, 'invalid_request', fields)
  })

  it('is read page by page, and neither repeats nor omits a link if all are equal', async () => {
    const crowd = await service.merchant()
    const ids: string[] = []
    for (let i = 0; i < 7; i += 1) {
      const twin = { common_name: 'Twin', amount: 5, active: i !== 3 }
      const made = await call(service.app, 'POST', '/payment-link', crowd.headers, twin)
      if (twin.active) ids.push(made.body.id)
    }
    const first = await list('amount=5&active=1&keywords=twin&limit=4&sort=amount', crowd.headers)
    expect(first.body).toMatchObject({
      total: 6,
      last_page: 2,
      from: 1,
      to: 4,
      prev_page_url: null,
    })
    const next = await call(service.app, 'GET', first.body.next_page_url, crowd.headers)
    expect(next.body).toMatchObject({ total: 6, current_page: 2, from: 5, to: 6 })
    expect(next.body.next_page_url).toBeNull()
    const seen = [...first.body.data, ...next.body.data].map((link: { id: string }) => link.id)
    expect(seen).toEqual([...ids].sort().reverse())
    const back = await call(service.app, 'GET', next.body.prev_page_url, crowd.headers)
    expect(back.body.data).toEqual(first.body.data)
  })
})
