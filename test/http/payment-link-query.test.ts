// A query in a body: fields with JSON types, and the addresses of its pages.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const PATH = '/query/payment-links'

describe('a query for payment links in a body', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    for (const common_name of ['One', 'Two', 'Three', 'Four', 'Five']) {
      const link = { common_name, amount: common_name.length, active: common_name !== 'Two' }
      await call(service.app, 'POST', '/payment-link', merchant.headers, link)
    }
  })
  afterAll(() => service.close())

  const query = (body: object, url = PATH, headers = {}) =>
    call(service.app, 'POST', url, { ...merchant.headers, ...headers }, body)

  const namesIn = (data: readonly { common_name: string }[]) =>
    data.map(({ common_name }) => common_name)

  it.each([
    [{ active: false }, ['Two']],
    [{ active: 0 }, ['Two']],
    [{ active: '0' }, ['Two']],
    [{ active: true, amount: 3 }, ['One']],
    [{ amount: '3.00' }, ['Two', 'One']],
    [{ keywords: 'o' }, ['Four', 'Two', 'One']],
    [{ keywords: ['o', 'w'] }, ['Two']],
    [{ active: false, user_id: 'x', meta: { any: 'thing' } }, ['Two']],
    [{ keywords: [] }, ['Five', 'Four', 'Three', 'Two', 'One']],
    [{ limit: 2 }, ['Five', 'Four']],
    [{ limit: '2', page: '2' }, ['Three', 'Two']],
    [{ per_page: 2, page: 3 }, ['One']],
    [{ sort: 'amount', order: 'asc', limit: 1, amount: 5 }, ['Three']],
    [
      { page: null, amount: null, link_meta: null, common_name: '' },
      ['Five', 'Four', 'Three', 'Two', 'One'],
    ],
  ])('finds the links for %j', async (sent, names) => {
    const { status, body } = await query(sent)
    expect([status, namesIn(body.data ?? [])]).toEqual([200, names])
  })

  it.each([
    [{ page: 0, limit: 1.5, per_page: true }, ['limit', 'page', 'per_page']],
    [{ active: 'true', keywords: [5], common_name: 5 }, ['active', 'common_name', 'keywords.0']],
    [{ keywords: Array.from({ length: 11 }, () => 'x') }, ['keywords']],
    [{ keywords: { a: 1 }, order: 5 }, ['keywords', 'order']],
  ])('is refused as %j', async (sent, fields) => {
    expectRefusal(await query(sent), 400, 'invalid_request', fields)
  })

  it('refuses an unknown filter, and suggests a similar one', async () => {
    const misspelt = await query({ actve: false, keywords: 'o' })
    expectRefusal(misspelt, 400, 'unknown_field', ['actve'])
    expect(misspelt.body.errors.actve).toEqual(['is not known: did you mean active?'])
    const creation = await query({ url: 'https://shop.example', common_name: 'Six' })
    expectRefusal(creation, 400, 'invalid_request', ['url'])
    expect(creation.body.message).toContain('link_meta')
  })

  it.each(['[]', '[{"active":true}]', '5', '"x"'])('is refused as %s', async (payload) => {
    const headers = { ...merchant.headers, 'content-type': 'application/json' }
    const answer = await service.app.inject({ method: 'POST', url: PATH, headers, payload })
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request'])
  })

  it('gives page addresses that hold the whole query, for GET and for POST with the same body', async () => {
    const sent = { active: true, keywords: ['o', 'e'], amount: 3, limit: 1, page: 1, order: 'ASC' }
    const more = { ...sent, keywords: ['e'], amount: undefined, sort: 'common_name' }
    const first = (await query(more, PATH, { host: 'pay.example:8443' })).body
    expect(namesIn(first.data)).toEqual(['Five'])
    const url = new URL(first.next_page_url)
    expect([url.origin, url.pathname]).toEqual([service.world.publicAddress(), PATH])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      active: 'true',
      keywords: 'e',
      limit: '1',
      page: '2',
      order: 'ASC',
      sort: 'common_name',
    })
    const next = `${PATH}${url.search}`
    const byGet = (await call(service.app, 'GET', next, merchant.headers)).body
    const byPost = (await query(more, next)).body
    expect(namesIn(byGet.data)).toEqual(['One'])
    expect(byPost).toEqual(byGet)
    expect(byGet).toMatchObject({ current_page: 2, total: 3, last_page: 3 })
  })

  it('has the limits of a query in an address', async () => {
    expectRefusal(await query({}, `${PATH}?colour=green`), 400, 'invalid_request', ['colour'])
    expectRefusal(await query({}, `${PATH}?page=x`), 400, 'invalid_request', ['page'])
  })
})
