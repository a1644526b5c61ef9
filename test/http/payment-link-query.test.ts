// A POST to the query for payment links: a query in a body, with JSON types and the addresses of its
// pages; or, as existing clients send it, a creation, which is recognised and never done twice.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL_LINK, linkEvents } from '../support/links.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const PATH = '/query/payment-links'
const OWN = '/payment-link'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
})
afterAll(() => service.close())

const post = (url: string, body?: object, headers = {}) =>
  call(service.app, 'POST', url, { ...merchant.headers, ...headers }, body)

describe('a query for payment links in a body', () => {
  beforeAll(async () => {
    for (const common_name of ['One', 'Two', 'Three', 'Four', 'Five']) {
      const link = { common_name, amount: common_name.length, active: common_name !== 'Two' }
      await post(OWN, link)
    }
  })

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
    const { status, body } = await post(PATH, sent)
    expect([status, namesIn(body.data ?? [])]).toEqual([200, names])
  })

  it.each([
    [{ page: 0, limit: 1.5, per_page: true }, ['limit', 'page', 'per_page']],
    [{ active: 'true', keywords: [5], common_name: 5 }, ['active', 'common_name', 'keywords.0']],
    [{ keywords: Array.from({ length: 11 }, () => 'x') }, ['keywords']],
    [{ keywords: { a: 1 }, order: 5 }, ['keywords', 'order']],
  ])('is refused as %j', async (sent, fields) => {
    expectRefusal(await post(PATH, sent), 400, 'invalid_request', fields)
  })

  it('refuses an unknown filter, and suggests a similar one', async () => {
    const misspelt = await post(PATH, { actve: false, keywords: 'o' })
    expectRefusal(misspelt, 400, 'unknown_field', ['actve'])
    expect(misspelt.body.errors.actve).toEqual(['is not known: did you mean active?'])
    // Of an address the next answer would say that it is no filter.
    const hint = (await post(PATH, { urls: 'https://shop.example' })).body.errors.urls[0]
    expect(hint).toMatch(/^is not known: use page, .*\bmeta$/)
    const creation = await post(PATH, { url: 'https://shop.example', common_name: 'Six' })
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
    const first = (await post(PATH, more, { host: 'pay.example:8443' })).body
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
    const byPost = (await post(next, more)).body
    expect(namesIn(byGet.data)).toEqual(['One'])
    expect(byPost).toEqual(byGet)
    expect(byGet).toMatchObject({ current_page: 2, total: 3, last_page: 3 })
  })

  it.each([
    ['common_name=One', { common_name: 'Two' }, ['common_name']],
    ['active=true&amount=3', { active: false, amount: 4 }, ['active', 'amount']],
    ['keywords=o&limit=1', { keywords: ['w'], limit: 2 }, ['keywords', 'limit']],
    ['limit=1', { per_page: 3 }, ['per_page']],
    ['sort=amount&order=ASC', { sort: 'created_at', order: 'desc' }, ['order', 'sort']],
  ])('is refused with %s in the address and %j in the body', async (query, body, fields) => {
    expectRefusal(await post(`${PATH}?${query}`, body), 400, 'invalid_request', fields)
  })

  it('takes one value in both, in either form, and another page', async () => {
    const query = 'active=true&amount=3.00&keywords=o&limit=1&order=DESC&page=1'
    const sent = { active: 1, amount: 3, keywords: ['o'], limit: '1', order: 'desc', page: 9 }
    const { status, body } = await post(`${PATH}?${query}`, sent)
    expect([status, namesIn(body.data)]).toEqual([200, ['One']])
  })

  it('has the limits of a query in an address', async () => {
    expectRefusal(await post(`${PATH}?colour=green`), 400, 'invalid_request', ['colour'])
    expectRefusal(await post(`${PATH}?page=x`), 400, 'invalid_request', ['page'])
  })
})

describe('a POST', () => {
  const links = async () =>
    (await call(service.app, 'GET', PATH, merchant.headers)).body.total as number

  it('to the query with a link_meta makes a link, and answers it wrapped', async () => {
    const { status, body } = await post(PATH, FULL_LINK)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 200,
      message: expect.stringMatching(/\w/),
      body: expect.objectContaining(FULL_LINK),
    })
    const found = await call(service.app, 'GET', `${PATH}/${body.body.id}`, merchant.headers)
    expect(found.body).toEqual(body.body)
    expect(await linkEvents(service, body.body.id)).toMatchObject([{ snapshot: body.body }])
  })

  it('to the query makes a link with an empty link_meta too', async () => {
    const { body } = await post(PATH, { common_name: 'Tips', link_meta: {} })
    expect(body.body).toMatchObject({ common_name: 'Tips', amount: null, link_meta: {} })
  })

  it.each([
    [{ link_meta: {} }, ['common_name']],
    [
      { link_meta: { memo: 5 }, common_name: '', amount: -1 },
      ['amount', 'common_name', 'link_meta.memo'],
    ],
    [{ link_meta: 'memo', common_name: 'A' }, ['link_meta']],
    [{ link_meta: [], common_name: 'A' }, ['link_meta']],
    [{ link_meta: true, page: 'x' }, ['common_name', 'link_meta']],
  ])('to the query of %j is a faulty creation, and no query', async (sent, fields) => {
    const before = await links()
    expectRefusal(await post(PATH, sent), 400, 'invalid_request', fields)
    expect(await links()).toBe(before)
  })

  it('to the query that makes a link needs no other field', async () => {
    const answer = await post(`${PATH}?page=2&active=1`, FULL_LINK)
    expectRefusal(answer, 400, 'invalid_request', ['active', 'page'])
  })

  it.each([
    [undefined],
    [{}],
    [{ common_name: 'Nobody is called that' }],
    [{ common_name: 'Coffee', amount: 12.5, active: true, meta: {} }],
  ])('to the query of %j makes nothing and answers a list', async (sent) => {
    const before = await links()
    const { status, body } = await post(PATH, sent)
    expect([status, Array.isArray(body.data)]).toEqual([200, true])
    expect(await links()).toBe(before)
  })

  it('to either address makes one link for one key, answered in the form of each address', async () => {
    const key = { 'idempotency-key': 'either' }
    const first = await post(OWN, FULL_LINK, key)
    const second = await post(PATH, FULL_LINK, key)
    expect(second.body.body).toEqual(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })
})
