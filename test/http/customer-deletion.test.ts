import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../support/events.ts'
import { FULL } from '../support/people.ts'
import { expectRefusal } from '../support/requests.ts'
import { BANK, CARD } from '../support/sandbox-cards.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

describe('deleting a customer', () => {
  let aheadMs = 0
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    const clock = { now: () => new Date(Date.now() + aheadMs) }
    const settings = { RATE_LIMIT_PER_MINUTE: '10000' }
    service = await openTestService({ queues: ['charge'], backend: 'postgres', clock, settings })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
    call(service.app, method, url, merchant.headers, body)

  async function made(url: string, body: object): Promise<Answer['body']> {
    const answer = await ask('POST', url, body)
    expect(answer.status).toBe(200)
    aheadMs += 1_000
    return answer.body
  }

  /** A customer with two payment methods, the newest first, beside another customer. */
  async function ada() {
    const customer = await made('/customer', FULL)
    const own = { customer_id: customer.id }
    const card = await made('/payment-method', { ...CARD, ...own })
    const bank = await made('/payment-method', { ...BANK, ...own })
    return { customer, card, bank, methods: [bank, card] }
  }

  it('answers the customer in its last state, after which it is not found', async () => {
    const { customer } = await ada()
    const { status, body } = await ask('DELETE', `/customer/${customer.id.toUpperCase()}`)
    expect([status, body]).toEqual([200, customer])
    const url = `/customer/${customer.id}`
    expectRefusal(await ask('GET', url), 404, 'not_found')
    expectRefusal(await ask('PUT', url, { notes: 'x' }), 404, 'not_found')
    expectRefusal(await ask('PUT', url, {}), 404, 'not_found')
    expectRefusal(await ask('DELETE', url), 404, 'not_found')
    expectRefusal(await ask('GET', `${url}/payment-method`), 404, 'not_found')
  })

  it('deletes its payment methods too, each with its event, in one commit', async () => {
    const { customer, card, bank } = await ada()
    const changed = (await ask('PUT', `/payment-method/${bank.id}`, { nickname: 'Old' })).body
    await ask('DELETE', `/customer/${customer.id}`)
    expect((await eventsOf(service, 'customer', customer.id)).slice(1)).toEqual([
      { type: 'delete_customer', sequence: 2, snapshot: customer, same_commit: true },
    ])
    expect((await eventsOf(service, 'payment_method', card.id)).slice(1)).toEqual([
      { type: 'delete_payment_method', sequence: 2, snapshot: card, same_commit: true },
    ])
    expect((await eventsOf(service, 'payment_method', bank.id)).slice(2)).toEqual([
      { type: 'delete_payment_method', sequence: 3, snapshot: changed, same_commit: true },
    ])
    const [commits] = await service.world.db.query(
      `SELECT count(DISTINCT xmin::text)::integer AS commits FROM event
       WHERE type LIKE 'delete_%' AND resource_id = ANY ($1)`,
      [[customer.id, card.id, bank.id]],
    )
    expect(commits?.commits).toBe(1)
    for (const { id } of [card, bank]) {
      expectRefusal(await ask('GET', `/payment-method/${id}`), 404, 'not_found')
    }
  })

  it('removes them from every list, and leaves all others', async () => {
    const own = await service.merchant()
    const make = async (body: object) =>
      (await call(service.app, 'POST', '/payment-method', own.headers, body)).body
    const kept = await make(CARD)
    const gone = await make({ ...CARD, person_name: 'Grace Hopper' })
    const also = await make({ ...BANK, customer_id: gone.customer_id })
    const list = async (url: string) => {
      const { body } = await call(service.app, 'GET', url, own.headers)
      return body.data.map(({ id }: { id: string }) => id).sort()
    }
    expect(await list('/payment-method')).toEqual([kept.id, gone.id, also.id].sort())
    expect(await list('/customer?keywords=hopper')).toEqual([gone.customer_id])
    await call(service.app, 'DELETE', `/customer/${gone.customer_id}`, own.headers)
    expect(await list('/payment-method')).toEqual([kept.id])
    expect(await list(`/payment-method?customer_id=${gone.customer_id}`)).toEqual([])
    expect(await list('/customer')).toEqual([kept.customer_id])
    expect(await list('/customer?keywords=hopper')).toEqual([])
    expect(await list('/customer?firstname=Grace')).toEqual([])
  })

  it('leaves nothing to charge or to add to, and past transactions as they were', async () => {
    const { customer, card } = await ada()
    const charged = await service.charge(merchant, { total: 5, payment_method_id: card.id })
    expect(charged.status).toBe(200)
    await ask('DELETE', `/customer/${customer.id}`)
    const again = await service.charge(merchant, { total: 5, payment_method_id: card.id })
    expectRefusal(again, 404, 'not_found', ['payment_method_id'])
    const added = await ask('POST', '/payment-method', { ...CARD, customer_id: customer.id })
    expectRefusal(added, 404, 'not_found', ['customer_id'])
    const seen = (await ask('GET', `/transaction/${charged.body.id}`)).body
    expect([seen.customer, seen.payment_method]).toEqual([customer, card])
  })
})
