// Cards that Checkout.com stores. It may keep the same card once, though it was added twice.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { forgetDeletedMethods } from '../../src/customers/forget-deleted-methods.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant } from '../support/test-service.ts'
import { type CheckoutService, openCheckoutService } from './checkout-service.ts'

const CARDS = ['4111111111111111', '4012888888881881', '4000056655665556', '5555555555554444']

describe('a card that is stored at Checkout.com', () => {
  let live: CheckoutService
  let other: Merchant
  const cards = [...CARDS]

  beforeAll(async () => {
    live = await openCheckoutService()
    other = await live.service.merchant('live')
  })
  afterAll(() => live[Symbol.asyncDispose]())

  /** A card that no other test has added. */
  const fresh = () => cards.pop() ?? ''

  const add = (number: string, by: Merchant) => {
    const payment_method_token = live.checkout.token(number)
    const body = { method: 'card', person_name: 'Ada', payment_method_token }
    return call(live.service.app, 'POST', '/payment-method', by.headers, body)
  }

  async function added(number: string, by: Merchant): Promise<string> {
    const { body, status, text } = await add(number, by)
    expect(status, text).toBe(200)
    return body.id
  }

  const remove = (id: string, by: Merchant) =>
    call(live.service.app, 'DELETE', `/payment-method/${id}`, by.headers)

  const charge = async (id: string, by: Merchant) => {
    const body = { total: 5, payment_method_id: id }
    return (await call(live.service.app, 'POST', '/charge', by.headers, body)).body
  }

  /** Long after the deletions. */
  const forgetDue = ({ world } = live.service) =>
    forgetDeletedMethods(world, new Date(world.clock.now().getTime() + DAY))

  const deletions = () => live.checkout.requests.filter(({ method }) => method === 'DELETE')

  it('is deleted there with its payment method', async () => {
    const { world } = live.service
    const id = await added(fresh(), live.merchant)
    const before = deletions().length
    await remove(id, live.merchant)
    const where = { id, forgetDueAt: { not: null } }
    await world.db.prisma.paymentMethod.updateMany({ where, data: { forgetDueAt: new Date(0) } })
    await world.queues.ensureRound('retention')
    const left = () => world.db.prisma.paymentMethod.count({ where })
    await soon(async () => expect(await left()).toBe(0))
    expect(deletions().slice(before)).toMatchObject([{ status: 204 }])
  })

  it.each(['the same merchant', 'two merchants'])(
    'once, added twice by %s, is charged until both payment methods are deleted',
    async (who) => {
      const second = who === 'two merchants' ? other : live.merchant
      const card = fresh()
      const ids = [await added(card, live.merchant), await added(card, second)]
      const rows = await live.service.world.db.prisma.paymentMethod.findMany({
        where: { id: { in: ids } },
      })
      const tokens = rows.map(({ gatewayToken }) => `${gatewayToken}`)
      expect(new Set(tokens).size).toBe(2)
      expect(new Set(tokens.map((token) => token.split(':')[1])).size).toBe(1)

      const before = deletions().length
      const [first = '', last = ''] = ids
      await remove(first, live.merchant)
      expect(await forgetDue()).toBe(0)
      expect(await charge(last, second)).toMatchObject({ status: 'SUCCESS' })
      await remove(last, second)
      expect(await forgetDue()).toBe(1)
      expect(await forgetDue()).toBe(0)
      expect(deletions().slice(before)).toMatchObject([{ status: 204 }])
    },
  )

  it('is not added again while it is being deleted, and is afterwards', async () => {
    const { world } = live.service
    const card = fresh()
    const id = await added(card, live.merchant)
    await remove(id, live.merchant)
    const deletedAt = new Date(world.clock.now().getTime() - DAY)
    await world.db.prisma.paymentMethod.updateMany({ where: { id }, data: { deletedAt } })
    expect((await add(card, other)).body.errors).toEqual({
      payment_method_token: [
        'is of a card that the gateway is deleting: it can be added again in some hours',
      ],
    })
    expect(await forgetDue()).toBe(1)
    const again = await added(card, other)
    expect(await charge(again, other)).toMatchObject({ status: 'SUCCESS' })
  })
})
