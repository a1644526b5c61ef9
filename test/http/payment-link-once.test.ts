// Creations in the form of existing clients: they are recognised beside queries, and are never done
// twice.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL_LINK, linkEvents } from '../support/links.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const QUERY = '/query/payment-links'
const OWN = '/payment-link'

describe('a POST', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const post = (url: string, body?: object, headers = {}) =>
    call(service.app, 'POST', url, { ...merchant.headers, ...headers }, body)

  const links = async () =>
    (await call(service.app, 'GET', QUERY, merchant.headers)).body.total as number

  it('to the query with a link_meta makes a link, and answers it wrapped', async () => {
    const { status, body } = await post(QUERY, FULL_LINK)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 200,
      message: expect.stringMatching(/\w/),
      body: expect.objectContaining(FULL_LINK),
    })
    const found = await call(service.app, 'GET', `${QUERY}/${body.body.id}`, merchant.headers)
    expect(found.body).toEqual(body.body)
    expect(await linkEvents(service, body.body.id)).toMatchObject([{ snapshot: body.body }])
  })

  it('to the query makes a link with an empty link_meta too', async () => {
    const { body } = await post(QUERY, { common_name: 'Tips', link_meta: {} })
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
    expectRefusal(await post(QUERY, sent), 400, 'invalid_request', fields)
    expect(await links()).toBe(before)
  })

  it('to the query that makes a link needs no other field', async () => {
    const answer = await post(`${QUERY}?page=2&active=1`, FULL_LINK)
    expectRefusal(answer, 400, 'invalid_request', ['active', 'page'])
  })

  it.each([
    [undefined],
    [{}],
    [{ common_name: 'Nobody is called that' }],
    [{ common_name: 'Coffee', amount: 12.5, active: true, meta: {} }],
  ])('to the query of %j makes nothing and answers a list', async (sent) => {
    const before = await links()
    const { status, body } = await post(QUERY, sent)
    expect([status, Array.isArray(body.data)]).toEqual([200, true])
    expect(await links()).toBe(before)
  })

  describe.each([
    [OWN, (body: { id: string }) => body.id],
    [QUERY, (body: { body: { id: string } }) => body.body.id],
  ])('to %s with an idempotency key', (url, idOf) => {
    it('makes one link, and repeats the answer', async () => {
      const key = { 'idempotency-key': `once ${url}` }
      const before = await links()
      const first = await post(url, FULL_LINK, key)
      const again = await post(url, { ...FULL_LINK, amount: '12.50', active: 0 }, key)
      const inBody = await post(url, { ...FULL_LINK, idempotency_id: `once ${url}` })
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(inBody.text).toBe(first.text)
      expect(first.headers).not.toHaveProperty('idempotent-replayed')
      expect(again.headers['idempotent-replayed']).toBe('true')
      expect(await links()).toBe(before + 1)
      expect(await linkEvents(service, idOf(first.body))).toHaveLength(1)
    })

    it('makes one link, however many requests come at the same moment', async () => {
      const key = { 'idempotency-key': `at once ${url}` }
      const before = await links()
      const answers = await Promise.all(Array.from({ length: 8 }, () => post(url, FULL_LINK, key)))
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(await links()).toBe(before + 1)
    })

    it('conflicts with another request, and names the fields that differ', async () => {
      const key = { 'idempotency-key': `conflict ${url}` }
      await post(url, FULL_LINK, key)
      const other = { ...FULL_LINK, amount: 1, link_meta: { memo: 'x' }, active: true }
      const fields = ['active', 'amount', 'link_meta']
      expectRefusal(await post(url, other, key), 409, 'idempotency_conflict', fields)
    })

    it('is the same request, whether an empty field was sent or left out', async () => {
      const key = { 'idempotency-key': `empty ${url}` }
      const sent = { common_name: 'A', link_meta: {} }
      const first = await post(url, sent, key)
      const again = await post(url, { ...sent, amount: 0, active: '1', meta: {}, more: 1 }, key)
      expect([again.status, again.text]).toEqual([200, first.text])
    })

    it('leaves the key free after a refused request', async () => {
      const key = { 'idempotency-key': `refused ${url}` }
      expect((await post(url, { link_meta: {} }, key)).status).toBe(400)
      expect((await post(url, { common_name: 'A', link_meta: {} }, key)).status).toBe(200)
    })
  })

  it('to either address makes one link for one key, answered in the form of each address', async () => {
    const key = { 'idempotency-key': 'either' }
    const first = await post(OWN, FULL_LINK, key)
    const second = await post(QUERY, FULL_LINK, key)
    expect(second.body.body).toEqual(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })

  it('with the key of a customer conflicts', async () => {
    const key = { 'idempotency-key': 'of a customer' }
    await post('/customer', { firstname: 'Ada' }, key)
    expectRefusal(await post(OWN, FULL_LINK, key), 409, 'idempotency_conflict')
  })
})
