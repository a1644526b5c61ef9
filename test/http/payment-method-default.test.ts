import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../support/events.ts'
import { openFurther } from '../support/further.ts'
import { expectRefusal } from '../support/requests.ts'
import { BANK, CARD } from '../support/sandbox-cards.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

describe('the default of a customer’s payment methods', () => {
  let aheadMs = 0
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    const clock = { now: () => new Date(Date.now() + aheadMs) }
    const settings = { RATE_LIMIT_PER_MINUTE: '10000' }
    service = await openTestService({ queues: [], clock, settings })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
    call(service.app, method, url, merchant.headers, body)

  const put = (id: string, is_default: unknown) =>
    ask('PUT', `/payment-method/${id}`, { is_default })

  async function made(body: object): Promise<Answer['body']> {
    const answer = await ask('POST', '/payment-method', body)
    expect(answer.status).toBe(200)
    aheadMs += 1_000
    return answer.body
  }

  /** The first of the three is the default. */
  async function three() {
    const first = await made(CARD)
    const own = { customer_id: first.customer_id }
    return [first, await made({ ...BANK, ...own }), await made({ ...CARD, ...own })] as const
  }

  const defaultsOf = async (customerId: string): Promise<readonly string[]> => {
    const { body } = await ask('GET', `/customer/${customerId}/payment-method`)
    return body.flatMap((one: Answer['body']) => (one.is_default ? [one.id] : []))
  }

  it.each([true, 1, '1'])(
    'changes with %j, with an event for each method in one commit',
    async (flag) => {
      const [first, second] = await three()
      const { status, body } = await put(second.id, flag)
      expect([status, body]).toEqual([
        200,
        { ...second, is_default: true, updated_at: body.updated_at },
      ])
      const ceased = { ...first, is_default: false, updated_at: body.updated_at }
      expect((await ask('GET', `/payment-method/${first.id}`)).body).toEqual(ceased)
      const ofFirst = await eventsOf(service, 'payment_method', first.id)
      const ofSecond = await eventsOf(service, 'payment_method', second.id)
      const event = { type: 'update_payment_method', sequence: 2, same_commit: true }
      expect(ofFirst.slice(1)).toEqual([{ ...event, snapshot: ceased }])
      expect(ofSecond.slice(1)).toEqual([{ ...event, snapshot: body }])
      const rows = await service.world.db.query(
        'SELECT DISTINCT xmin::text AS commit FROM payment_method WHERE id = ANY ($1)',
        [[first.id, second.id]],
      )
      expect(rows).toHaveLength(1)
    },
  )

  it('stays as it is if it is set again, without an event', async () => {
    const [first, second] = await three()
    expect((await put(first.id, true)).body).toEqual(first)
    expect((await put(second.id, false)).body).toEqual(second)
    for (const { id } of [first, second]) {
      expect(await eventsOf(service, 'payment_method', id)).toHaveLength(1)
    }
  })

  it.each([false, 0, '0'])(
    'is removed with %j, until a method is made or set as default',
    async (flag) => {
      const [first, second] = await three()
      expect((await put(first.id, flag)).body.is_default).toBe(false)
      expect(await defaultsOf(first.customer_id)).toEqual([])
      expect(await eventsOf(service, 'payment_method', second.id)).toHaveLength(1)
      const next = await made({ ...CARD, customer_id: first.customer_id })
      expect(next.is_default).toBe(true)
      await put(second.id, true)
      expect(await defaultsOf(first.customer_id)).toEqual([second.id])
    },
  )

  it.each([true, 1, '1'])('is a new method that is made with %j', async (is_default) => {
    const [first] = await three()
    const own = { customer_id: first.customer_id, is_default }
    const next = await made({
      ...CARD,
      ...own,
      idempotency_id: `default-${JSON.stringify(is_default)}`,
    })
    expect(next.is_default).toBe(true)
    expect(await defaultsOf(first.customer_id)).toEqual([next.id])
    const [, ended] = await eventsOf(service, 'payment_method', first.id)
    expect(ended?.snapshot).toMatchObject({ id: first.id, is_default: false })
    const other = {
      ...CARD,
      ...own,
      is_default: false,
      idempotency_id: `default-${JSON.stringify(is_default)}`,
    }
    expectRefusal(await ask('POST', '/payment-method', other), 409, 'idempotency_conflict', [
      'is_default',
    ])
  })

  it('is no method that is made with false', async () => {
    const { is_default, customer_id } = await made({ ...CARD, is_default: false })
    expect(is_default).toBe(false)
    expect((await made({ ...CARD, customer_id })).is_default).toBe(true)
  })

  it('is removed with its method, and another can become it', async () => {
    const [first, second] = await three()
    const { body } = await ask('DELETE', `/payment-method/${first.id}`)
    expect(body.is_default).toBe(true)
    expect(await defaultsOf(first.customer_id)).toEqual([])
    expect((await put(second.id, true)).status).toBe(200)
    expect(await eventsOf(service, 'payment_method', first.id)).toHaveLength(2)
  })

  it('is one method, however many requests at two processes set it at once', async () => {
    await using further = await openFurther(service)
    for (let round = 0; round < 5; round += 1) {
      const methods = await three()
      const [{ customer_id: customerId }] = methods
      const answers = await Promise.all([
        ...methods.flatMap(({ id }) =>
          [service.app, further.app].map((app) =>
            call(app, 'PUT', `/payment-method/${id}`, merchant.headers, { is_default: true }),
          ),
        ),
        ask('POST', '/payment-method', { ...CARD, customer_id: customerId }),
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(await defaultsOf(customerId)).toHaveLength(1)
      for (const { id } of methods) {
        const events = await eventsOf(service, 'payment_method', id)
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
        const now = (await ask('GET', `/payment-method/${id}`)).body
        expect(events.at(-1)?.snapshot).toEqual(now)
      }
    }
  })
})
