// What Stripe as a gateway does with answers that the contract of all gateways does not cover.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Gateway, Order } from '../../src/outside/gateway/port.ts'
import { stripeClient } from '../../src/outside/gateway/stripe/client.ts'
import { stripeGateway } from '../../src/outside/gateway/stripe/gateway.ts'
import { ownAccount } from '../../src/outside/gateway/stripe/own-account.ts'
import { newId } from '../../src/outside/identity.ts'
import { clientOf } from './client.ts'
import { onceFor } from './stand-in/faults.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

const ACCOUNT = '0199c2a0-0000-7000-8000-000000000001'
const HOUR_MS = 3_600_000

let stripe: StripeStandIn
let ask: ReturnType<typeof stripeClient>
let gateway: Gateway
let token: string

beforeAll(async () => {
  stripe = await openStripe()
  const { secretKey, url: apiUrl } = stripe
  ask = stripeClient({ secretKey, apiUrl, requestsPerSecond: Number.MAX_SAFE_INTEGER })
  gateway = gatewayOf(ask)
  token = await kept('pm_card_visa')
})
afterAll(() => stripe[Symbol.asyncDispose]())

function gatewayOf(
  askStripe: typeof ask,
  checkAccount: (isChange: boolean) => Promise<void> = async () => {},
  account?: string,
): Gateway {
  return stripeGateway({
    askStripe,
    publishableKey: stripe.publishableKey,
    webhookSecrets: [],
    checkAccount,
    connectedAccountOf: async () => account,
    usedAccountsOf: async () => [account],
    now: () => stripe.now(),
    alarm: () => {},
  })
}

const signal = () => AbortSignal.timeout(5_000)

async function kept(method: string, owner: object = {}, by = gateway): Promise<string> {
  const brought = { token: method, owner: { id: newId(), ...owner } }
  const answer = await by.keepMethod?.(ACCOUNT, brought)
  if (answer?.kind !== 'kept') throw new Error(`${method} was not kept`)
  return answer.token
}

function orderOf(more: Partial<Order> = {}): Order {
  const now = new Date()
  return {
    accountId: ACCOUNT,
    key: newId(),
    operation: 'charge',
    method: 'card',
    token,
    gatewayId: null,
    amount: 12_34n,
    currency: 'USD',
    now,
    deadlineAt: new Date(now.getTime() + 3 * HOUR_MS),
    ...more,
  }
}

async function made(order: Order): Promise<NonNullable<Order['parent']> & { gatewayId: string }> {
  const answer = await gateway.carryOut(order, signal())
  if (answer.kind !== 'approved') throw new Error(`the order is ${answer.kind}`)
  const { key, operation } = order
  return { key, operation, gatewayId: `${answer.gatewayId}` }
}

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
  const standingOf = async () => ({ kind: 'ours' }) as const
  const known = { standingOf, keep: async () => {} }
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
      standingOf: async () => ({ kind: 'free' }) as const,
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

  it('says nothing of a payment that is looked up', async () => {
    const [one, other] = [await made(orderOf()), await made(orderOf({ operation: 'pre_auth' }))]
    const body = JSON.stringify(await clientOf(stripe).paymentIntents.retrieve(other.gatewayId))
    stripe.fault(() => ({ kind: 'other words', isExecuted: true, status: 200, body }))
    const order = orderOf({ key: one.key, gatewayId: one.gatewayId })
    await expect(gateway.lookUp(order, signal())).rejects.toThrow('about another payment')
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
  const acceptedAt = Date.now() - HOUR_MS
  const { key } = await made(orderOf({ key: newId(acceptedAt) }))
  const from = new Date(acceptedAt - HOUR_MS)
  const before = new Date(acceptedAt + HOUR_MS / 2)
  const madeUntil = new Date(before.getTime() + 3 * HOUR_MS)
  const keys: string[] = []
  const days = { accountId: ACCOUNT, from, before, madeUntil }
  for await (const page of gateway.entriesBetween(days)) keys.push(...page.map((one) => one.key))
  expect(keys).toEqual([key])
})
