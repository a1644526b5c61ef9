import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changedMeanwhile } from '../support/changed-meanwhile.ts'
import { openFurther } from '../support/further.ts'
import { FULL_LINK, linkEvents, UNKNOWN_LINK } from '../support/links.ts'
import { expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

describe('changing a payment link', () => {
  let service: TestService
  let merchant: Merchant
  let aheadMs = 0

  beforeAll(async () => {
    const clock = { now: () => new Date(Date.now() + aheadMs) }
    service = await openTestService({ queues: [], clock })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const ask = (method: 'GET' | 'PUT', id: string, body?: object) =>
    call(service.app, method, `/query/payment-links/${id}`, merchant.headers, body)

  async function made(body: object = FULL_LINK): Promise<Answer['body']> {
    aheadMs += 1_000
    const answer = await call(service.app, 'POST', '/payment-link', merchant.headers, body)
    expect(answer.status).toBe(200)
    aheadMs += 1_000
    return answer.body
  }

  it.each([
    [{ common_name: 'Tea' }, { common_name: 'Tea' }],
    [{ amount: '7.10' }, { amount: 7.1 }],
    [{ amount: 0 }, { amount: null }],
    [{ amount: null }, { amount: null }],
    [{ active: '1' }, { active: true }],
    [{ link_meta: { memo: 'x' } }, { link_meta: { memo: 'x' } }],
    [{ link_meta: {} }, { link_meta: {} }],
    [{ meta: { b: 2 } }, { meta: { b: 2 } }],
    [
      { common_name: 'Tea', amount: 1, id: UNKNOWN_LINK, total_sales: 5, url: 'x' },
      { common_name: 'Tea', amount: 1 },
    ],
  ])('to %j changes these fields and nothing else', async (sent, changed) => {
    const before = await made()
    const { status, body } = await ask('PUT', before.id, sent)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...changed, updated_at: body.updated_at })
    expect(body.updated_at > before.updated_at).toBe(true)
    expect((await ask('GET', before.id)).body).toEqual(body)
    expect(await linkEvents(service, before.id)).toMatchObject([
      { type: 'create_payment_link', sequence: 1, snapshot: before },
      { type: 'update_payment_link', sequence: 2, snapshot: body, same_commit: true },
    ])
  })

  it.each([
    {},
    { unknown: 1 },
    FULL_LINK,
    { amount: '12.50' },
    { active: 0 },
    { meta: { nested: { list: [1, 'two', null, true] } } },
  ])('to %j changes nothing, and writes no event', async (sent) => {
    const before = await made()
    expect(await ask('PUT', before.id, sent)).toMatchObject({ status: 200, body: before })
    expect(await linkEvents(service, before.id)).toHaveLength(1)
  })

  it('compares the meaning of JSON: neither the order of keys nor the sign of 0 is a change', async () => {
    const before = await made({ common_name: 'A', meta: { a: 0, b: { c: 1, d: 2 } } })
    const url = `/query/payment-links/${before.id}`
    const headers = { ...merchant.headers, ...JSON_TYPE }
    const payload = '{"meta":{"b":{"d":2,"c":1},"a":-0}}'
    expect((await send(service.app, { method: 'PUT', url, headers, payload })).body).toEqual(before)
  })

  it.each([
    [{ amount: -1, active: 'yes' }, ['active', 'amount']],
    [{ link_meta: 5, meta: 'x' }, ['link_meta', 'meta']],
  ])('to %j is refused', async (sent, fields) => {
    const before = await made()
    expectRefusal(await ask('PUT', before.id, sent), 400, 'invalid_request', fields)
    expect((await ask('GET', before.id)).body).toEqual(before)
  })

  it('loses none of several simultaneous changes', async () => {
    const { id } = await made()
    const changes = [
      { common_name: 'Tea' },
      { amount: 3 },
      { active: true },
      { link_meta: { memo: 'x' } },
      { meta: { b: 2 } },
    ]
    // Changes come to the same process, and to another.
    await using further = await openFurther(service)
    const apps = [service.app, further.app, service.app, further.app, service.app]
    const url = `/query/payment-links/${id}`
    const answers = await Promise.all(
      apps.map((app, i) => call(app, 'PUT', url, merchant.headers, changes[i])),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { body } = await ask('GET', id)
    expect(body).toMatchObject(Object.assign({}, ...changes))
    const events = await linkEvents(service, id)
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
    expect(events.at(-1)?.snapshot).toEqual(body)
  })

  it('has an event with the sales as they are in that commit', async () => {
    const { id } = await made({ common_name: 'Busy', amount: 1 })
    const sql = 'UPDATE payment_link SET total_sales = 100, total_transactions = 1 WHERE id = $1'
    const { body } = await changedMeanwhile(service, { sql, values: [id] }, () =>
      ask('PUT', id, { active: false }),
    )
    expect(body).toMatchObject({ active: false, total_sales: 1, total_transactions: 1 })
    expect((await linkEvents(service, id)).at(-1)?.snapshot).toEqual(body)
  })
})
