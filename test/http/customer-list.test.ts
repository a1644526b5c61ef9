import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PEOPLE } from '../support/people.ts'
import { expectRefusal } from '../support/requests.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

describe('the list of customers', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    for (const person of PEOPLE)
      await call(service.app, 'POST', '/customer', merchant.headers, person)
  })
  afterAll(() => service.close())

  const list = (query = '') => call(service.app, 'GET', `/customer${query}`, merchant.headers)

  function namesOf({ body }: Answer): readonly string[] {
    return body.data.map((one: Record<string, string>) => one.lastname ?? one.company)
  }

  it('begins with the newest, in one envelope', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(namesOf({ body } as Answer)).toEqual([
      'A_B \\ C',
      'Byron',
      'Turing',
      'Hopper',
      'Lovelace',
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
  })

  it.each([
    ['firstname=ada', ['Byron', 'Lovelace']],
    ['firstname=Ada&lastname=LOVELACE', ['Lovelace']],
    ['firstname=Ad', []],
    ['email=alan%40example.com', ['Turing']],
    ['company=us%20navy', ['Hopper']],
    ['company=us+navy', ['Hopper']],
    ['phone=%2B12025550101', ['Lovelace']],
    ['phone=202-555-0101', ['Lovelace']],
    ['address_city=New+York', ['Hopper']],
    ['address_zip=10001', ['A_B \\ C']],
    ['reference=r-100%25', ['Turing']],
    ['notes=the+same+person', ['Byron']],
    ['cc_emails=cc%40example.com', ['Byron']],
    ['cc_sms=2025550199', ['A_B \\ C']],
    ['firstname=%25', []],
    ['firstname=A_a', []],
    ['firstname=%5C', []],
    ['lastname=%25', []],
    ['company=A_B+%5C+C', ['A_B \\ C']],
    ['firstname=null', []],
  ])('is narrowed by %s', async (query, names) => {
    const answer = await list(`?${query}`)
    expect(answer.status).toBe(200)
    expect(namesOf(answer)).toEqual(names)
    expect(answer.body.total).toBe(names.length)
  })

  it.each([
    ['keywords=ada', ['Byron', 'Lovelace']],
    ['keywords=opp', ['Hopper']],
    ['keywords=ada&keywords=love', ['Lovelace']],
    ['keywords[]=ada&keywords[]=love', ['Lovelace']],
    ['keywords[0]=ada&keywords[1]=love', ['Lovelace']],
    ['keywords=5550101', ['Lovelace']],
    ['keywords=%25', ['Turing']],
    ['keywords=_', ['A_B \\ C']],
    ['keywords=%5C', ['A_B \\ C']],
    ['keywords=nobody', []],
    ['keywords=ada&lastname=byron', ['Byron']],
  ])('is searched by %s', async (query, names) => {
    const answer = await list(`?${query}`)
    expect([answer.status, answer.text.slice(0, 0)]).toEqual([200, ''])
    expect(namesOf(answer)).toEqual(names)
  })

  it.each([
    ['sort=lastname&order=ASC', ['Byron', 'Hopper', 'Lovelace', 'Turing', 'A_B \\ C']],
    ['sort=lastname&order=desc', ['Turing', 'Lovelace', 'Hopper', 'Byron', 'A_B \\ C']],
    ['sort=lastname&order=Asc', ['Byron', 'Hopper', 'Lovelace', 'Turing', 'A_B \\ C']],
    ['sort=created_at&order=asc', ['Lovelace', 'Hopper', 'Turing', 'Byron', 'A_B \\ C']],
    ['order=asc', ['Lovelace', 'Hopper', 'Turing', 'Byron', 'A_B \\ C']],
  ])('is sorted by %s, nulls last', async (query, names) => {
    expect(namesOf(await list(`?${query}`))).toEqual(names)
  })

  it('breaks ties by id, so that pages neither repeat nor omit a customer', async () => {
    const crowd = await service.merchant()
    const ids: string[] = []
    for (let i = 0; i < 7; i += 1) {
      const made = await call(service.app, 'POST', '/customer', crowd.headers, {
        firstname: 'Twin',
      })
      ids.push(made.body.id)
    }
    await service.world.db.query('UPDATE customer SET created_at = $1 WHERE account_id = $2', [
      new Date('2026-01-01T00:00:00Z'),
      crowd.accountId,
    ])
    const seen: string[] = []
    let url: string | null = '/customer?limit=3&sort=created_at&order=asc'
    while (url !== null) {
      const page: Answer = await call(service.app, 'GET', url, crowd.headers)
      seen.push(...page.body.data.map((one: { id: string }) => one.id))
      url = page.body.next_page_url
    }
    expect(seen).toEqual([...ids].sort())
  })

  it('keeps a question mark within the query of a page', async () => {
    const { body } = await list('?firstname=who?&limit=7&page=2')
    expect(new URL(body.prev_page_url).search).toBe('?firstname=who%3F&limit=7&page=1')
  })

  it('gives the addresses of its neighbouring pages, absolute and with the query', async () => {
    const query = '?order=asc&keywords=a&keywords=e&limit=1'
    const headers = { ...merchant.headers, host: 'pay.example:8443' }
    const page = (await call(service.app, 'GET', `//customer/${query}&page=2`, headers)).body
    const { next_page_url: next, prev_page_url: prev, ...rest } = page
    expect(rest).toMatchObject({ per_page: 1, current_page: 2, from: 2, to: 2 })
    expect(rest.last_page).toBe(rest.total)
    for (const [address, number] of [
      [next, '3'],
      [prev, '1'],
    ] as const) {
      const url = new URL(address)
      // The host comes from the settings, and not from the request.
      expect([url.origin, url.pathname]).toEqual([service.world.publicAddress(), '/customer/'])
      expect(url.searchParams.getAll('keywords')).toEqual(['a', 'e'])
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        order: 'asc',
        limit: '1',
        page: number,
      })
    }
  })

  it.each([
    ['limit=1', 1],
    ['per_page=2', 2],
    ['limit=200', 200],
  ])('accepts %s', async (query, size) => {
    expect((await list(`?${query}`)).body.per_page).toBe(size)
  })

  it.each([
    ...['limit=0', 'limit=201', 'limit=-1', 'limit=1.5', 'limit=', 'limit=ten', 'limit=NaN'],
    ...['per_page=0', 'per_page=201', 'page=0', 'page=-1', 'page=1.5', 'page=', 'page=x'],
    ...['page=99999999999999999999', 'sort=id', 'sort=account_id', 'order=up'],
    ...['cursor=1'],
  ])('refuses %s', async (query) => {
    const [field = ''] = query.split('=')
    const answer = await list(`?${query}`)
    expectRefusal(answer, 400, 'invalid_request')
    expect(Object.keys(answer.body.errors)).toEqual([expect.stringContaining(field)])
  })
})
