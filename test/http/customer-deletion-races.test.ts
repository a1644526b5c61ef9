import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../support/events.ts'
import { openFurther } from '../support/further.ts'
import { holdLock } from '../support/hold-lock.ts'
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

describe('deleting a customer while other requests work on it', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { RATE_LIMIT_PER_MINUTE: '10000' } })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
    call(service.app, method, url, merchant.headers, body)

  async function made(url: string, body: object): Promise<Answer['body']> {
    const answer = await ask('POST', url, body)
    expect(answer.status).toBe(200)
    return answer.body
  }

  async function ada() {
    const customer = await made('/customer', FULL)
    const own = { customer_id: customer.id }
    const card = await made('/payment-method', { ...CARD, ...own })
    const bank = await made('/payment-method', { ...BANK, ...own })
    return { customer, card, bank }
  }

  type Ada = Awaited<ReturnType<typeof ada>>

  const leftOf = (customerId: string) =>
    service.world.db.query(
      'SELECT id FROM payment_method WHERE customer_id = $1 AND deleted_at IS NULL',
      [customerId],
    )

  /** While this lock is held no event can be written, and so no change can commit. */
  const holdEvents = () => holdLock(service.databaseUrl, 'LOCK TABLE event IN SHARE MODE')

  it('waits for a payment method that is being made, and deletes it too', async () => {
    const { customer } = await ada()
    const events = await holdEvents()
    const adding = ask('POST', '/payment-method', { ...CARD, customer_id: customer.id })
    await events.untilWaiting(1)
    const deleting = ask('DELETE', `/customer/${customer.id}`)
    await events.untilWaiting(2)
    await events.release()
    const [added, deleted] = await Promise.all([adding, deleting])
    expect([added.status, deleted.status]).toEqual([200, 200])
    expect(await leftOf(customer.id)).toEqual([])
    expect((await eventsOf(service, 'payment_method', added.body.id)).slice(1)).toMatchObject([
      { type: 'delete_payment_method', sequence: 2, snapshot: added.body },
    ])
  })

  it('lets no request add to the customer while it is in progress', async () => {
    const { customer } = await ada()
    const events = await holdEvents()
    const deleting = ask('DELETE', `/customer/${customer.id}`)
    await events.untilWaiting(1)
    const adding = ask('POST', '/payment-method', { ...CARD, customer_id: customer.id })
    await events.untilWaiting(2)
    await events.release()
    expect((await deleting).status).toBe(200)
    expectRefusal(await adding, 404, 'not_found', ['customer_id'])
    expect(await leftOf(customer.id)).toEqual([])
  })

  it.each([
    ['the customer', ({ customer }: Ada) => `/customer/${customer.id}`],
    ['the payment method', ({ card }: Ada) => `/payment-method/${card.id}`],
  ])('no payment of an invoice begins once the deletion of %s is in progress', async (_, path) => {
    const payer = await ada()
    const own = { customer_id: payer.customer.id, payment_method_id: payer.card.id }
    const { id } = await made('/invoice', { total: 10, ...own })
    const events = await holdEvents()
    const deleting = ask('DELETE', path(payer))
    await events.untilWaiting(1)
    const paying = call(service.app, 'POST', `/invoice/${id}/pay`, {
      ...merchant.headers,
      prefer: 'respond-async',
    })
    await events.untilWaiting(2)
    await events.release()
    expect((await deleting).status).toBe(200)
    expectRefusal(await paying, 400, 'invalid_request', ['payment_method_id'])
    expect((await ask('GET', `/invoice/${id}`)).body.payment_under_way).toBe(false)
  })

  it('is done once, however many requests come at once', async () => {
    const { customer } = await ada()
    await using further = await openFurther(service)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        call(
          i % 2 === 0 ? service.app : further.app,
          'DELETE',
          `/customer/${customer.id}`,
          merchant.headers,
        ),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 404)])
    expect(await eventsOf(service, 'customer', customer.id)).toHaveLength(2)
  })

  it('leaves the customer no payment method that is made or changed in the same moment', async () => {
    await using further = await openFurther(service)
    for (let round = 0; round < 5; round += 1) {
      const { customer, card, bank } = await ada()
      const elsewhere = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
        call(further.app, method, url, merchant.headers, body)
      const answers = await Promise.all([
        ...[CARD, BANK, CARD].map((one) =>
          elsewhere('POST', '/payment-method', { ...one, customer_id: customer.id }),
        ),
        elsewhere('PUT', `/payment-method/${bank.id}`, { is_default: true }),
        elsewhere('PUT', `/payment-method/${card.id}`, { nickname: 'Late' }),
        ask('DELETE', `/customer/${customer.id}`),
        elsewhere('PUT', `/customer/${customer.id}`, { notes: 'Late' }),
      ])
      expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([])
      expect(answers[5]?.status).toBe(200)
      expect(await leftOf(customer.id)).toEqual([])
      const [gaps] = await service.world.db.query(
        `SELECT count(*)::integer AS rows FROM payment_method m WHERE customer_id = $1 AND version
           <> (SELECT count(*) FROM event e WHERE e.resource_id = m.id::text)`,
        [customer.id],
      )
      expect(gaps?.rows).toBe(0)
    }
  })
})
