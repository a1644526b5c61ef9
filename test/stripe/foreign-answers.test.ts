// Answers that are not Stripe's, that belong to another request, or that never end: they say nothing,
// and no money moves because of them.

import { afterAll, describe, expect, it } from 'vitest'
import type { GatewayChange } from '../../src/outside/gateway/feed-port.ts'
import { ownAccount } from '../../src/outside/gateway/stripe/own-account.ts'
import { newId } from '../../src/outside/identity.ts'
import { clientOf } from './client.ts'
import { openStripeGateway } from './opened-stripe.ts'
import { onceFor } from './stand-in/faults.ts'

const { stripe, ask, gateway, token, gatewayOf, kept, orderOf, made } = await openStripeGateway()
afterAll(() => stripe[Symbol.asyncDispose]())

const signal = () => AbortSignal.timeout(5_000)

describe('an answer that is not Stripe’s own, such as a proxy’s,', () => {
  const answers = [
    [503, '{"message":"Service Unavailable"}'],
    [404, '{"status":404,"error":"Not Found"}'],
    [200, '{}'],
    [200, 'null'],
    [200, '[]'],
  ] as const

  it.each(answers)('releases no hold: %i %s', async (status, body) => {
    const hold = await made(orderOf({ operation: 'pre_auth' }))
    const order = orderOf({ operation: 'void', parent: hold })
    const isCancel = ({ path }: { readonly path: string }) => path.endsWith('/cancel')
    stripe.fault(onceFor(isCancel, { kind: 'other words', isExecuted: false, status, body }))
    await expect(gateway.carryOut(order, signal())).rejects.toThrow('Stripe answered nothing')
    expect(await gateway.lookUp(order, signal())).toEqual({ kind: 'never_made' })
    expect(await gateway.carryOut(order, signal())).toMatchObject({ kind: 'approved' })
  })

  it.each(answers)('does not say whose the keys are: %i %s', async (status, body) => {
    const kept: string[] = []
    const known = {
      stateOf: async () => ({ kind: 'free' }) as const,
      keep: async (account: string) => void kept.push(account),
    }
    const checked = gatewayOf(
      ask,
      ownAccount({ askStripe: ask, isTest: true, known, alarm: () => {} }),
    )
    const isOfAccount = ({ path }: { readonly path: string }) => path === '/v1/account'
    stripe.fault(onceFor(isOfAccount, { kind: 'other words', isExecuted: false, status, body }))
    const order = orderOf()
    expect(await checked.carryOut(order, signal())).toMatchObject({ kind: 'turned_away' })
    expect(kept).toEqual([])
    expect(await checked.carryOut(order, signal())).toMatchObject({ kind: 'approved' })
    expect(kept).toEqual([expect.stringMatching(/^acct_/)])
  })
})

describe('the answer to another request', () => {
  it.each(['charge', 'pre_auth', 'capture', 'void', 'refund'] as const)(
    'says nothing of a %s, which is made once all the same',
    async (operation) => {
      const { paymentIntents, refunds } = clientOf(stripe)
      const isFollowUp = operation !== 'charge' && operation !== 'pre_auth'
      const of = operation === 'refund' ? 'charge' : 'pre_auth'
      const ordered = async () =>
        orderOf({
          operation,
          ...(isFollowUp && { parent: await made(orderOf({ operation: of })) }),
        })
      const { gatewayId } = await made(await ordered())
      const other = operation === 'refund' ? refunds : paymentIntents
      const body = JSON.stringify(await other.retrieve(gatewayId))
      const order = await ordered()
      const isOrder = ({ method }: { readonly method: string }) => method === 'POST'
      const mixedUp = { kind: 'other words', isExecuted: true, status: 200, body } as const
      stripe.fault(onceFor(isOrder, mixedUp))
      await expect(gateway.carryOut(order, signal())).rejects.toThrow('about another payment')
      expect(await gateway.lookUp(order, signal())).toMatchObject({ kind: 'approved' })
    },
  )

  it.each(['/v1/customers', '/attach'])('stores no other payer’s card: %s', async (path) => {
    const { customers, paymentMethods } = clientOf(stripe)
    const { id: customer } = await customers.create({})
    const other = await paymentMethods.attach('pm_card_mastercard', { customer })
    const body = JSON.stringify(path === '/attach' ? other : await customers.retrieve(customer))
    const mixedUp = { kind: 'other words', isExecuted: true, status: 200, body } as const
    stripe.fault(onceFor((one) => one.path.endsWith(path), mixedUp))
    const owner = { id: newId() }
    await expect(kept('pm_card_visa', owner)).rejects.toThrow('about another payment')
    expect(await kept('pm_card_visa', owner)).not.toContain(customer)
  })

  it('shows no payer the secret of another payment', async () => {
    const one = await made(orderOf())
    const other = await clientOf(stripe).paymentIntents.create({ amount: 100, currency: 'usd' })
    const body = JSON.stringify({ ...other, status: 'requires_action' })
    stripe.fault(() => ({ kind: 'other words', isExecuted: true, status: 200, body }))
    const step = gateway.payerStepOf?.({ token, gatewayId: one.gatewayId })
    await expect(step).rejects.toThrow('about another payment')
    stripe.fault()
  })

  it('gives no order up, and ends no other payment', async () => {
    const other = await made(orderOf({ operation: 'pre_auth' }))
    const { paymentIntents } = clientOf(stripe)
    const body = JSON.stringify(await paymentIntents.retrieve(other.gatewayId))
    const isCreation = ({ path }: { readonly path: string }) => path === '/v1/payment_intents'
    const mixedUp = { kind: 'other words', isExecuted: false, status: 200, body } as const
    stripe.fault(onceFor(isCreation, mixedUp))
    await expect(gateway.giveUp(orderOf(), signal())).rejects.toThrow('about another payment')
    expect((await paymentIntents.retrieve(other.gatewayId)).status).toBe('requires_capture')
  })

  it('says nothing of a payment that is looked up', async () => {
    const [one, other] = [await made(orderOf()), await made(orderOf({ operation: 'pre_auth' }))]
    const body = JSON.stringify(await clientOf(stripe).paymentIntents.retrieve(other.gatewayId))
    stripe.fault(() => ({ kind: 'other words', isExecuted: true, status: 200, body }))
    const order = orderOf({ key: one.key, gatewayId: one.gatewayId })
    await expect(gateway.lookUp(order, signal())).rejects.toThrow('about another payment')
    stripe.fault()
  })

  it('says nothing of a refund that is looked up', async () => {
    const refunded = async () => {
      const order = orderOf({ operation: 'refund', parent: await made(orderOf()) })
      return { ...order, gatewayId: (await made(order)).gatewayId }
    }
    const [one, other] = [await refunded(), await refunded()]
    const body = JSON.stringify(await clientOf(stripe).refunds.retrieve(other.gatewayId))
    stripe.fault(() => ({ kind: 'other words', isExecuted: true, status: 200, body }))
    await expect(gateway.lookUp(one, signal())).rejects.toThrow('about another payment')
    stripe.fault()
  })

  it('tells no news of another payment', async () => {
    const [one, other] = [await made(orderOf({ operation: 'pre_auth' })), await made(orderOf())]
    const { paymentIntents } = clientOf(stripe)
    await paymentIntents.cancel(one.gatewayId)
    const changes: GatewayChange[] = []
    for await (const change of gateway.feed?.since('', new Date(0)) ?? []) changes.push(change)
    const change = changes.find(({ gatewayId }) => gatewayId === one.gatewayId)
    const body = JSON.stringify(await paymentIntents.retrieve(other.gatewayId))
    stripe.fault(() => ({ kind: 'other words', isExecuted: true, status: 200, body }))
    await expect(change?.read()).rejects.toThrow('about another payment')
    stripe.fault()
  })

  it('neither declines a payment nor ends the other one', async () => {
    const declined = orderOf({ token: await kept('pm_card_chargeCustomerFail') })
    await gateway.carryOut(declined, signal())
    const { data } = await clientOf(stripe).paymentIntents.list({ limit: 1 })
    const error = {
      type: 'card_error',
      code: 'card_declined',
      message: 'No',
      payment_intent: data[0],
    }
    const body = JSON.stringify({ error })
    stripe.fault(() => ({ kind: 'other words', isExecuted: true, status: 402, body }))
    const before = stripe.requests.length
    await expect(gateway.carryOut(orderOf(), signal())).rejects.toThrow('about another payment')
    expect(stripe.requests).toHaveLength(before + 1)
    stripe.fault()
  })
})

it('a list that repeats a page is read no further', async () => {
  const object = { id: 'po_1', object: 'payout' }
  const event = { id: 'evt_1', object: 'event', created: 1_790_000_000, data: { object } }
  const body = JSON.stringify({ object: 'list', has_more: true, data: [event] })
  stripe.fault(() => ({ kind: 'other words', isExecuted: false, status: 200, body }))
  const changes = gateway.feed?.since('', new Date(0))
  await expect(changes?.[Symbol.asyncIterator]().next()).rejects.toThrow('repeats the page')
  stripe.fault()
})

it('an answer larger than any list is not read to its end', async () => {
  const hold = await made(orderOf({ operation: 'pre_auth' }))
  const body = `{"object":"payment_intent","id":"pi_1","more":"${'a'.repeat(9_000_000)}"}`
  stripe.fault(() => ({ kind: 'other words', isExecuted: false, status: 200, body }))
  const order = orderOf({ operation: 'void', parent: hold })
  await expect(gateway.carryOut(order, signal())).rejects.toThrow('Stripe answered nothing')
  stripe.fault()
})
