import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInPaymentMethod } from '../../src/customers/built-in-payment-method.ts'
import { paymentMethodView } from '../../src/customers/payment-method.ts'
import type { World } from '../../src/world.ts'
import { eventsOf } from '../support/events.ts'
import { openFurther } from '../support/further.ts'
import { expectRefusal } from '../support/requests.ts'
import { rowOf } from '../support/resources.ts'
import { CARD } from '../support/sandbox-cards.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('payment methods that are deleted, and those that stay', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: ['charge'], backend: 'postgres' })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const ask = (
    method: 'GET' | 'PUT' | 'DELETE',
    id: string,
    body?: object,
    { headers }: Merchant = merchant,
  ) => call(service.app, method, `/payment-method/${id}`, headers, body)

  const made = async () =>
    (await call(service.app, 'POST', '/payment-method', merchant.headers, CARD)).body

  it('answers the method in its last state, writes its event, and it is not found any more', async () => {
    const before = await made()
    const { status, body } = await ask('DELETE', before.id.toUpperCase())
    expect([status, body]).toEqual([200, before])
    for (const method of ['GET', 'DELETE'] as const) {
      expectRefusal(await ask(method, before.id), 404, 'not_found')
    }
    expectRefusal(await ask('PUT', before.id, { nickname: 'x' }), 404, 'not_found')
    expect((await eventsOf(service, 'payment_method', before.id)).slice(1)).toEqual([
      { type: 'delete_payment_method', sequence: 2, snapshot: before, same_commit: true },
    ])
    expect((await eventsOf(service, 'customer', before.customer_id)).length).toBe(1)
  })

  it('does not charge a deleted one, and shows it with its earlier charges', async () => {
    const before = await made()
    const charged = await service.charge(merchant, { total: 5, payment_method_id: before.id })
    await ask('DELETE', before.id)
    const again = await service.charge(merchant, { total: 5, payment_method_id: before.id })
    expectRefusal(again, 404, 'not_found', ['payment_method_id'])
    const url = `/transaction/${charged.body.id}`
    const seen = (await call(service.app, 'GET', url, merchant.headers)).body
    expect(seen.payment_method).toEqual(before)
  })

  describe.each(['cash', 'check'] as const)('the built-in %s', (method) => {
    const find = (world: World, { accountId }: Merchant) =>
      builtInPaymentMethod(
        world,
        { accountId, clockAt: null, requestId: 'r', idempotencyKey: undefined },
        method,
      )

    it('is one, however many requests at two processes need it at once', async () => {
      const own = await service.merchant()
      await using further = await openFurther(service)
      const found = await Promise.all(
        Array.from({ length: 10 }, (_, i) => find(i % 2 ? service.world : further.world, own)),
      )
      expect(new Set(found.map(({ id }) => id)).size).toBe(1)
      expect((await find(service.world, own)).id).toBe(found[0]?.id)
      expect((await find(service.world, merchant)).id).not.toBe(found[0]?.id)
    })

    it('is found by its id, has an event, and is in no list', async () => {
      const own = await service.merchant()
      const row = await find(service.world, own)
      const { status, body } = await ask('GET', row.id, undefined, own)
      expect(status).toBe(200)
      expect(body).toEqual(JSON.parse(JSON.stringify(paymentMethodView(row))))
      const person_name = method === 'cash' ? 'Cash' : 'Check'
      const empty = { customer_id: null, is_default: false, card_last_four: null }
      expect(body).toMatchObject({ ...empty, method, person_name, meta: {} })
      expect(await eventsOf(service, 'payment_method', row.id)).toEqual([
        { type: 'create_payment_method', sequence: 1, snapshot: body, same_commit: true },
      ])
      const list = (await call(service.app, 'GET', '/payment-method', own.headers)).body
      expect([list.total, list.data]).toEqual([0, []])
    })

    it.each([
      ['PUT', { nickname: 'Mine' }],
      ['PUT', {}],
      ['DELETE', undefined],
    ] as const)('refuses %s (%j): it is built in', async (verb, body) => {
      const { id } = await find(service.world, merchant)
      const row = await rowOf(service, 'payment_method', id)
      const answer = await ask(verb, id, body)
      expectRefusal(answer, 409, 'in_use')
      expect(answer.body.message).toContain('built in')
      expect(await rowOf(service, 'payment_method', id)).toBe(row)
    })
  })
})
