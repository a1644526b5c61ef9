import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlState } from '../../src/db/failure.ts'
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

let service: TestService
let merchant: Merchant
let aheadMs = 0

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + aheadMs) }
  service = await openTestService({ queues: [], clock })
  merchant = await service.merchant()
})
afterAll(() => service.close())

const ask = (method: 'GET' | 'PUT' | 'DELETE', id: string, body?: object) =>
  call(service.app, method, `/query/payment-links/${id}`, merchant.headers, body)

async function made(body: object = FULL_LINK): Promise<Answer['body']> {
  aheadMs += 1_000
  const answer = await call(service.app, 'POST', '/payment-link', merchant.headers, body)
  expect(answer.status).toBe(200)
  aheadMs += 1_000
  return answer.body
}

describe('changing a payment link', () => {
  it.each([
    [{ common_name: 'Tea' }, { common_name: 'Tea' }],
    [{ amount: '7.10' }, { amount: 7.1 }],
    [{ amount: 0 }, { amount: null }],
    [{ amount: null, active: '1' }, { active: true }],
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

describe('deleting a payment link', () => {
  it('is permanent: the link is not found again', async () => {
    const kept = await made({ common_name: 'Kept' })
    const gone = await made()
    const answer = await ask('DELETE', gone.id)
    expect(answer).toMatchObject({ status: 200, body: { status: 200 } })
    expect(answer.body).toEqual({ status: 200, message: expect.stringMatching(/\w/) })
    for (const again of [
      await ask('GET', gone.id),
      await ask('PUT', gone.id, { active: true }),
      await ask('PUT', gone.id, {}),
      await ask('DELETE', gone.id),
    ]) {
      expectRefusal(again, 404, 'not_found')
    }
    const url = '/query/payment-links?limit=200'
    const { body } = await call(service.app, 'GET', url, merchant.headers)
    const ids = body.data.map((link: { id: string }) => link.id)
    expect(ids).toContain(kept.id)
    expect(ids).not.toContain(gone.id)
  })

  it('writes one event, with the link as it was', async () => {
    const before = await made()
    await ask('DELETE', before.id)
    await ask('DELETE', before.id)
    const [, deletion, ...more] = await linkEvents(service, before.id)
    expect(more).toEqual([])
    expect(deletion).toMatchObject({
      type: 'delete_payment_link',
      sequence: 2,
      snapshot: { ...before, updated_at: expect.any(String) },
      same_commit: true,
    })
  })

  it('is done by one of several simultaneous requests, and by no other', async () => {
    const { id } = await made()
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('DELETE', id)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 404, 404, 404, 404])
    expect(await linkEvents(service, id)).toHaveLength(2)
  })

  it('is refused without an id, with a message that one is needed', async () => {
    for (const url of ['/query/payment-links', '/query/payment-links/']) {
      const answer = await call(service.app, 'DELETE', url, merchant.headers)
      expectRefusal(answer, 400, 'invalid_request', ['id'])
    }
  })

  it('cannot be undone, not even in the database', async () => {
    const { id } = await made()
    const deletedAt = (value: string) =>
      service.world.db.query(`UPDATE payment_link SET deleted_at = ${value} WHERE id = $1`, [id])
    await deletedAt('created_at')
    const refused = await deletedAt('NULL').catch(sqlState)
    expect(refused).toBe('23514')
    expectRefusal(await ask('GET', id), 404, 'not_found')
  })
})
