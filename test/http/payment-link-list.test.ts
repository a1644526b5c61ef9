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

describe('the list of payment links', () => {
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

  /** The same query in an address and in a body has the same answer. */
  async function list(query: string, headers: object = merchant.headers): Promise<Answer> {
    const sent = new URLSearchParams(query)
    const body = Object.fromEntries(
      [...sent.keys()].map((name) => {
        const values = sent.getAll(name)
        return [name, values.length === 1 ? values[0] : values]
      }),
    )
    const answer = await call(service.app, 'GET', `${PATH}?${query}`, { ...headers })
    const posted = await call(service.app, 'POST', PATH, { ...headers }, body)
    // A fault is put into other words: a body has values of other types.
    const said = ({ status, body: { error, errors = {}, ...rest } }: Answer) =>
      status === 200 ? rest : [status, error, Object.keys(errors)]
    expect(said(posted)).toEqual(said(answer))
    return answer
  }

  const namesOf = ({ body }: Answer): readonly string[] =>
    body.data.map((link: { common_name: string }) => link.common_name)

  it('begins with the newest, as GET shows them', async () => {
    const { status, body } = await list('')
    expect([status, namesOf({ body } as Answer)]).toEqual([
      200,
      ['A_B \\ C', 'Tea', 'tea', 'Donation', 'Coffee'],
    ])
    const url = `${PATH}/${body.data[0].id}`
    expect((await call(service.app, 'GET', url, merchant.headers)).body).toEqual(body.data[0])
  })

  it('is not narrowed by meta, whatever is in it', async () => {
    const body = { meta: { toString: 'odd' }, user_id: 'u', per_page: 2 }
    const answer = await call(service.app, 'POST', PATH, merchant.headers, body)
    expect([answer.status, answer.body.total]).toEqual([200, 5])
    expect(answer.body.next_page_url).not.toMatch(/meta|user_id/)
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
    ...['limit=', 'page=1.5', 'sort=id', 'sort=updated_at', 'order=up'],
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
})
