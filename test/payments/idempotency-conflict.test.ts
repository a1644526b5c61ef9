// When an idempotency key belongs to another request, and when to none.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

describe('an idempotency key', () => {
  let service: TestService
  let merchant: Merchant
  let card: string
  let keys = 0

  beforeAll(async () => {
    service = await openTestService()
    merchant = await service.merchant()
    card = await service.card(merchant)
  })
  afterAll(() => service.close())

  const newKey = () => {
    keys += 1
    return { 'idempotency-key': `key-${keys}` }
  }

  const charge = (body: object, headers: Record<string, string> = {}) =>
    service.charge(merchant, { total: 12.5, payment_method_id: card, ...body }, headers)

  it.each([
    [{ total: 12.51 }, ['total']],
    [{ pre_auth: true }, ['pre_auth']],
    [{ channel: 'web' }, ['channel']],
    [{ total: 1, meta: { a: 1 } }, ['meta', 'total']],
    [{ payment_method_id: UNKNOWN }, ['payment_method_id']],
  ])('of another request is a conflict that names %j', async (change, fields) => {
    const key = newKey()
    const first = await charge({}, key)
    expectRefusal(await charge(change, key), 409, 'idempotency_conflict', fields)
    expect((await charge({}, key)).text).toBe(first.text)
  })

  it('of another operation is a conflict as well', async () => {
    const [charged, named] = [newKey(), newKey()]
    const post = (headers: object) =>
      call(
        service.app,
        'POST',
        '/customer',
        { ...merchant.headers, ...headers },
        { firstname: 'A' },
      )
    await charge({}, charged)
    expectRefusal(await post(charged), 409, 'idempotency_conflict')
    expect((await post(named)).status).toBe(200)
    expectRefusal(await charge({}, named), 409, 'idempotency_conflict')
  })

  it.each([
    ['failed validation', 400, { total: -1 }],
    ['named an unknown payment method', 404, { payment_method_id: UNKNOWN }],
    ['named an unknown invoice', 404, { invoice_id: UNKNOWN }],
    ['wanted what is not enabled', 403, { funding: [{ account_id: 'a', amount: 12.5 }] }],
  ])('is not used up by a request that %s', async (_, status, wrong) => {
    const key = newKey()
    expect((await charge(wrong, key)).status).toBe(status)
    const right = await charge({}, key)
    expect(right.status).toBe(200)
    expect(right.headers).not.toHaveProperty('idempotent-replayed')
  })

  it('is not used up by a request without permission', async () => {
    const key = newKey()
    await setTeam(service.world, merchant.teamId, ['enabled=false'])
    expect((await charge({}, key)).status).toBe(403)
    await setTeam(service.world, merchant.teamId, ['enabled=true'])
    expect((await charge({}, key)).headers).not.toHaveProperty('idempotent-replayed')
  })
})
