// What Stripe as a gateway does with answers that the contract of all gateways does not cover.

import { afterAll, describe, expect, it } from 'vitest'
import { HOUR } from '../../src/core/time-units.ts'
import { ownAccount } from '../../src/outside/gateway/stripe/own-account.ts'
import { newId } from '../../src/outside/identity.ts'
import { clientOf } from './client.ts'
import { ACCOUNT, openStripeGateway } from './opened-stripe.ts'
import { onceFor } from './stand-in/faults.ts'

const { stripe, ask, gateway, token, gatewayOf, kept, orderOf, made } = await openStripeGateway()
afterAll(() => stripe[Symbol.asyncDispose]())

const signal = () => AbortSignal.timeout(5_000)

describe('an order that is given up', () => {
  it.each([
    ['refund', 'charge'],
    ['capture', 'pre_auth'],
  ] as const)(
    'is never made, though Stripe takes no payment as small as the %s',
    async (operation, of) => {
      const parent = await made(orderOf({ operation: of }))
      const order = orderOf({ operation, parent, amount: 20n })
      expect(await gateway.giveUp(order, signal())).toEqual({ kind: 'never_made' })
      await expect(gateway.carryOut(order, signal())).rejects.toThrow('is used by another')
    },
  )
})

it('a refund of a bank debit is found in the ledger by its id', async () => {
  const charge = await made(orderOf())
  const refund = orderOf({ operation: 'refund', parent: charge })
  const { gatewayId } = await made(refund)
  const asked: string[] = []
  const spied = gatewayOf((request, limit, send) =>
    ask(request, limit, (client, options) => {
      const refunds = Object.create(client.refunds)
      refunds.retrieve = async (id: string) => {
        asked.push(id)
        return client.refunds.retrieve(gatewayId, {}, options)
      }
      return send(Object.assign(Object.create(client), { refunds }), options)
    }),
  )
  const id = gatewayId.replace(/^re_/, 'pyr_')
  const name = { key: refund.key, gatewayId: id, operation: 'refund', token } as const
  expect(await spied.entriesOf(ACCOUNT, [name])).toMatchObject([{ key: refund.key }])
  expect(asked).toEqual([id])
})

it('a declined capture leaves its hold as it is', async () => {
  const parent = await made(orderOf({ operation: 'pre_auth' }))
  const declining = gatewayOf((request, limit, send) =>
    ask(request, limit, (client, options) => {
      const paymentIntents = Object.create(client.paymentIntents)
      paymentIntents.capture = async (id: string) => {
        const payment_intent = await client.paymentIntents.retrieve(id, {}, options)
        const refusal = { rawType: 'card_error', statusCode: 402, code: 'card_declined' }
        throw Object.assign(new Error('Your card was declined.'), { ...refusal, payment_intent })
      }
      return send(Object.assign(Object.create(client), { paymentIntents }), options)
    }),
  )
  const capture = orderOf({ operation: 'capture', parent, amount: 5_00n })
  expect(await declining.carryOut(capture, signal())).toMatchObject({ kind: 'declined' })
  expect(await gateway.carryOut({ ...capture, key: newId() }, signal())).toMatchObject({
    kind: 'approved',
  })
})

it('an order is not declined because Stripe does not say whose keys these are', async () => {
  const stateOf = async () => ({ kind: 'ours' }) as const
  const known = { stateOf, keep: async () => {} }
  const checked = gatewayOf(
    ask,
    ownAccount({ askStripe: ask, isTest: true, known, alarm: () => {} }),
  )
  stripe.fault(({ path }) => (path === '/v1/account' ? { kind: 'wrong form' } : undefined))
  const order = orderOf()
  expect(await checked.carryOut(order, signal())).toMatchObject({ kind: 'turned_away' })
  stripe.fault()
  expect(await checked.carryOut(order, signal())).toMatchObject({ kind: 'approved' })
})

it('a hold that names a capture is not captured while Stripe still holds the money', async () => {
  const { gatewayId, ...hold } = await made(orderOf({ operation: 'pre_auth' }))
  const capture = orderOf({ operation: 'capture', parent: { gatewayId, ...hold } })
  const metadata = { lamplighter_capture: capture.key }
  await clientOf(stripe).paymentIntents.update(gatewayId, { metadata })
  expect(await gateway.lookUp(capture, signal())).toEqual({ kind: 'never_made' })
  const names = [hold, capture].map(({ key, operation }) => ({ key, operation, gatewayId, token }))
  const keys = async () => (await gateway.entriesOf(ACCOUNT, names)).map(({ key }) => key)
  expect(await keys()).toEqual([hold.key])
  expect(await gateway.carryOut(capture, signal())).toMatchObject({ kind: 'approved' })
  expect(await gateway.lookUp(capture, signal())).toMatchObject({ kind: 'approved' })
  expect(await keys()).toEqual([hold.key, capture.key])
})

describe('a payment method', () => {
  it.each(['/v1/customers', '/attach'])(
    'is kept at the second try, though Stripe keeps a 500 of %s for a day',
    async (path) => {
      const owner = { id: newId() }
      stripe.fault(
        onceFor((one) => one.path.endsWith(path), { kind: 'server error', when: 'instead' }),
      )
      await expect(kept('pm_card_visa', owner)).rejects.toThrow('500')
      expect(await kept('pm_card_visa', owner)).toMatch(/:pm_/)
    },
  )

  it('is detached at the second try, though Stripe keeps a 500 of the first', async () => {
    const stored = await kept('pm_card_visa')
    const isDetach = ({ path }: { readonly path: string }) => path.endsWith('/detach')
    stripe.fault(onceFor(isDetach, { kind: 'server error', when: 'instead' }))
    await expect(gateway.forgetMethod?.(stored)).rejects.toThrow('500')
    await gateway.forgetMethod?.(stored)
    expect(stripe.requests.filter(isDetach).at(-1)).toMatchObject({ status: 200 })
  })

  it('that a merchant has attached without us stays attached', async () => {
    const own = gatewayOf(ask, undefined, 'acct_own')
    const options = { stripeAccount: 'acct_own' }
    const { customers, paymentMethods } = clientOf(stripe)
    const { id: customer } = await customers.create({}, options)
    const { id } = await paymentMethods.attach('pm_card_visa', { customer }, options)
    const stored = await kept(id, {}, own)
    expect(stored).toContain(customer)
    await own.forgetMethod?.(stored)
    expect((await paymentMethods.retrieve(id, {}, options)).customer).toBe(customer)
    // As a control, one that we have attached is detached.
    const ours = await kept('pm_card_visa', {}, own)
    const [, , method = ''] = ours.split(':')
    await own.forgetMethod?.(ours)
    expect((await paymentMethods.retrieve(method, {}, options)).customer).toBeNull()
  })

  it('that was detached is not kept again, whatever Stripe answered before', async () => {
    const owner = { id: newId(), token: await kept('pm_card_visa') }
    const [, , method = ''] = owner.token.split(':')
    expect(await kept(method, owner)).toBe(owner.token)
    await gateway.forgetMethod?.(owner.token)
    const again = await gateway.keepMethod?.(ACCOUNT, { token: method, owner })
    expect(again).toMatchObject({ kind: 'fault' })
  })
})

it('an order that was accepted before a cutoff and made after it is of the day before', async () => {
  const acceptedAt = Date.now() - HOUR
  const { key } = await made(orderOf({ key: newId(acceptedAt) }))
  const from = new Date(acceptedAt - HOUR)
  const before = new Date(acceptedAt + HOUR / 2)
  const madeUntil = new Date(before.getTime() + 3 * HOUR)
  const keys: string[] = []
  const days = { accountId: ACCOUNT, from, before, madeUntil }
  for await (const page of gateway.entriesBetween(days)) keys.push(...page.map((one) => one.key))
  expect(keys).toEqual([key])
})
