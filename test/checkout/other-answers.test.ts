// Answers of Checkout.com that belong to another request, or that never end: they say nothing.

import { afterEach, describe, expect, it } from 'vitest'
import { checkoutClient } from '../../src/outside/gateway/checkout/client.ts'
import { newId } from '../../src/outside/identity.ts'
import { ACCOUNT, closeOpened, HOUR_MS, opened, orderOf, paid, signal } from './opened-checkout.ts'

afterEach(closeOpened)

it('an answer larger than any list is not read to its end', async () => {
  const one = await opened()
  const body = `{"id":"pay_1","status":"Declined","more":"${'a'.repeat(9_000_000)}"}`
  one.checkout.fault(() => ({ kind: 'other words', isExecuted: false, status: 201, body }))
  const answer = one.gateway.carryOut(orderOf(one), AbortSignal.timeout(5_000))
  await expect(answer).rejects.toThrow('did not answer (AnswerTooLong)')
})

it('the answer to another request says nothing of a payment', async () => {
  const one = await opened()
  const other = await paid(one)
  const body = JSON.stringify({ id: other.gatewayId, reference: other.key, status: 'Declined' })
  one.checkout.fault(({ method }) =>
    method === 'POST' ? { kind: 'other words', isExecuted: true, status: 201, body } : undefined,
  )
  const order = orderOf(one)
  await expect(one.gateway.carryOut(order, signal())).rejects.toThrow('about another payment')
  one.checkout.fault()
  expect(await one.gateway.lookUp(order, signal())).not.toMatchObject({ kind: 'declined' })
})

it('the record of another payment says nothing of one that is looked up', async () => {
  const one = await opened()
  const [made, other] = [await paid(one, 'pre_auth'), await paid(one)]
  const [isOne, found] = [`/payments/${made.gatewayId}`, `/payments/${other.gatewayId}`]
  const ask = checkoutClient({ secretKey: one.checkout.secretKey, apiUrl: one.checkout.url })
  const body = JSON.stringify((await ask({ method: 'GET', path: found }, signal())).body)
  one.checkout.fault(({ path }) =>
    path === isOne ? { kind: 'other words', isExecuted: true, status: 200, body } : undefined,
  )
  const order = orderOf(one, made)
  await expect(one.gateway.lookUp(order, signal())).rejects.toThrow('about another payment')
})

it.each([
  [200, ''],
  [200, '{}'],
  [200, 'null'],
  [404, '{"message":"no Route matched"}'],
])(
  'an answer of %i without a list does not say that nothing was made: %s',
  async (status, body) => {
    const one = await opened()
    const order = orderOf(one)
    one.checkout.fault(() => ({ kind: 'server error', isExecuted: true }))
    await expect(one.gateway.carryOut(order, signal())).rejects.toThrow('answered 500')
    // Its key is free, so it would be made once more.
    one.checkout.fault(({ method, path }) =>
      method === 'GET' && path === '/payments'
        ? { kind: 'other words', isExecuted: true, status, body }
        : undefined,
    )
    await expect(one.gateway.lookUp(order, signal())).rejects.toThrow(`answered ${status}`)
    await expect(one.gateway.giveUp(order, signal())).rejects.toThrow(`answered ${status}`)
    one.checkout.fault()
    expect(await one.gateway.lookUp(order, signal())).toMatchObject({ kind: 'approved' })
  },
)

it('an answer without the actions of a payment does not say that nothing is left of it', async () => {
  const one = await opened()
  const parent = await paid(one)
  const order = orderOf(one, { operation: 'refund', parent })
  one.checkout.fault(() => ({ kind: 'server error', isExecuted: true }))
  await expect(one.gateway.carryOut(order, signal())).rejects.toThrow('answered 500')
  one.checkout.fault(({ path }) =>
    path.endsWith('/actions')
      ? { kind: 'other words', isExecuted: true, status: 200, body: 'null' }
      : undefined,
  )
  await expect(one.gateway.carryOut(order, signal())).rejects.toThrow('answered 200')
  one.checkout.fault()
  await one.checkout.advance(HOUR_MS)
  expect(await one.gateway.lookUp(order, signal())).toMatchObject({ kind: 'approved' })
})

it('the card of another payer is not stored', async () => {
  const one = await opened()
  const [, , verified] = one.token.split(':')
  const ask = checkoutClient({ secretKey: one.checkout.secretKey, apiUrl: one.checkout.url })
  const other = await ask({ method: 'GET', path: `/payments/${verified}` }, signal())
  const body = JSON.stringify(other.body)
  one.checkout.fault(() => ({ kind: 'other words', isExecuted: true, status: 201, body }))
  const brought = { token: one.checkout.token(), owner: { id: newId() } }
  await expect(one.gateway.keepMethod?.(ACCOUNT, brought)).rejects.toThrow('about another payment')
  one.checkout.fault()
  expect(await one.gateway.keepMethod?.(ACCOUNT, brought)).toMatchObject({ kind: 'kept' })
})

describe('a list that repeats a page is read no further', () => {
  const next = { href: 'https://api.checkout.com/payments/search?from=2' }
  const dispute = { id: 'dsp_1', last_update: '2026-11-30T12:00:00Z' }

  it.each([
    ['of disputes', { data: Array.from({ length: 250 }, () => dispute) }],
    ['of payments', { data: [], _links: { next } }],
  ])('%s', async (what, page) => {
    const { checkout, gateway } = await opened()
    const body = JSON.stringify(page)
    checkout.fault(() => ({ kind: 'other words', isExecuted: false, status: 200, body }))
    const [from, before] = [new Date(0), new Date()]
    const list =
      what === 'of disputes'
        ? gateway.feed?.since('', from)
        : gateway.entriesBetween({ accountId: ACCOUNT, from, before, madeUntil: before })
    await expect(readWhole(list ?? [])).rejects.toThrow('repeats the page')
  })
})

async function readWhole(list: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  for await (const _ of list);
}
