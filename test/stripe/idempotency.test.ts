import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, HOLD, PAYMENT } from './client.ts'
import { holdRequest } from './held-request.ts'
import { onceFor } from './stand-in/faults.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

const HOUR = 60 * 60 * 1000

describe('an idempotency key', () => {
  let standIn: StripeStandIn
  let client: ReturnType<typeof clientOf>

  beforeEach(async () => {
    standIn = await openStripe()
    client = clientOf(standIn)
    return () => standIn[Symbol.asyncDispose]()
  })

  const pay = (idempotencyKey: string, amount = 5_00) =>
    client.paymentIntents.create({ ...PAYMENT, amount }, { idempotencyKey })

  it('answers a repeated request with the first result, and marks it as a replay', async () => {
    const first = await pay('a')
    const second = await pay('a')
    expect(second.id).toBe(first.id)
    expect(second.lastResponse.requestId).not.toBe(first.lastResponse.requestId)
    expect(standIn.requests.map(({ isReplayed }) => isReplayed)).toEqual([false, true])
    expect(standIn.ledger()).toMatchObject([
      { kind: 'payment', id: first.id, idempotencyKey: 'a' },
      { kind: 'capture', id: first.id, amount: 5_00 },
    ])
  })

  it('names the request that was executed, on a replay and on the first answer', async () => {
    const send = () =>
      fetch(`${standIn.url}/v1/customers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${standIn.secretKey}`, 'idempotency-key': 'a' },
      })
    const first = await send()
    const second = await send()
    const id = first.headers.get('request-id')
    expect(first.headers.get('original-request')).toBe(id)
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    expect(second.headers.get('original-request')).toBe(id)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  it('repeats the first state, even if the object has changed since', async () => {
    const held = await client.paymentIntents.create(HOLD, { idempotencyKey: 'a' })
    await client.paymentIntents.capture(held.id)
    const again = await client.paymentIntents.create(HOLD, { idempotencyKey: 'a' })
    expect(again.status).toBe('requires_capture')
  })

  it('moves money once for 20 simultaneous requests', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => pay('a')))
    const paid = results.filter(({ status }) => status === 'fulfilled')
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(paid.length).toBeGreaterThan(0)
    expect(refused.filter(({ code }) => code !== 'idempotency_key_in_use')).toEqual([])
    expect(standIn.ledger().filter(({ kind }) => kind === 'payment')).toHaveLength(1)
  })

  it('is in use while its request is executed: 409, an API error to the SDK', async () => {
    const held = holdRequest()
    standIn.fault(held.plan({ while: 'executing' }))
    const first = pay('a')
    await held.reached
    expect(await errorOf(pay('a'))).toMatchObject({
      type: 'StripeAPIError',
      statusCode: 409,
      code: 'idempotency_key_in_use',
    })
    held.release()
    expect((await first).status).toBe('succeeded')
    expect((await pay('a')).id).toBe((await first).id)
  })

  it('with other parameters is 400 idempotency_error, and nothing happens', async () => {
    await pay('a')
    const error = await errorOf(pay('a', 6_00))
    expect(error).toMatchObject({
      type: 'StripeIdempotencyError',
      rawType: 'idempotency_error',
      statusCode: 400,
    })
    expect(error.code).toBeUndefined()
    expect(standIn.ledger().filter(({ kind }) => kind === 'payment')).toHaveLength(1)
    expect((await pay('a')).amount).toBe(5_00)
  })

  it('on another endpoint is 400 idempotency_error, even with the same parameters', async () => {
    const [one, two] = [
      await client.paymentIntents.create(HOLD),
      await client.paymentIntents.create(HOLD),
    ]
    const capture = (id: string) => client.paymentIntents.capture(id, {}, { idempotencyKey: 'a' })
    await capture(one.id)
    expect(await errorOf(capture(two.id))).toMatchObject({
      rawType: 'idempotency_error',
      statusCode: 400,
    })
    expect((await client.paymentIntents.retrieve(two.id)).status).toBe('requires_capture')
  })

  it('with the same parameters in another order is the same request', async () => {
    const post = (body: string) =>
      fetch(`${standIn.url}/v1/customers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${standIn.secretKey}`, 'idempotency-key': 'a' },
        body: new URLSearchParams(body),
      }).then((response) => response.json())
    const first = await post('name=Ada&metadata[a]=1&metadata[b]=2')
    const second = await post('metadata[b]=2&metadata[a]=1&name=Ada')
    expect(second).toEqual(first)
  })

  it('keeps a decline: the card is not asked again', async () => {
    const decline = () =>
      client.paymentIntents.create(
        { ...PAYMENT, payment_method: 'pm_card_visa_chargeDeclined' },
        { idempotencyKey: 'a' },
      )
    const first = await errorOf(decline())
    const second = await errorOf(decline())
    expect(second).toMatchObject({ statusCode: 402, decline_code: 'generic_decline' })
    expect(second.payment_intent?.id).toBe(first.payment_intent?.id)
    expect(standIn.ledger()).toHaveLength(1)
  })

  it.each(['after', 'instead'] as const)(
    'keeps a 500 that came %s execution, and replays it',
    async (when) => {
      standIn.fault(onceFor(() => true, { kind: 'server error', when }))
      expect(await errorOf(pay('a'))).toMatchObject({ statusCode: 500 })
      expect(await errorOf(pay('a'))).toMatchObject({ statusCode: 500 })
      const isDone = when === 'after'
      expect(standIn.ledger()).toHaveLength(isDone ? 2 : 0)
      expect(standIn.requests.map(({ isReplayed }) => isReplayed)).toEqual([false, true])
    },
  )

  it('is not kept for a 500 that came before execution', async () => {
    standIn.fault(onceFor(() => true, { kind: 'server error', when: 'before' }))
    expect(await errorOf(pay('a'))).toMatchObject({ statusCode: 500 })
    expect(standIn.ledger()).toEqual([])
    expect((await pay('a')).status).toBe('succeeded')
  })

  it('is not kept for a failed validation: the same key can come with valid parameters', async () => {
    const wrong = client.paymentIntents.create({ ...PAYMENT, amount: 1.5 }, { idempotencyKey: 'a' })
    expect(await errorOf(wrong)).toMatchObject({ statusCode: 400, param: 'amount' })
    expect((await pay('a')).status).toBe('succeeded')
  })

  it('is kept for a refusal by the state of objects, once execution began', async () => {
    const paid = await pay('a')
    const capture = () => client.paymentIntents.capture(paid.id, {}, { idempotencyKey: 'b' })
    expect(await errorOf(capture())).toMatchObject({ code: 'payment_intent_unexpected_state' })
    expect(await errorOf(capture())).toMatchObject({ code: 'payment_intent_unexpected_state' })
    expect(standIn.requests.at(-1)).toMatchObject({ status: 400, isReplayed: true })
  })

  it.each([
    ['a rate limit', { kind: 'rate limit' }, 429, 'rate_limit'],
    ['a lock timeout', { kind: 'lock timeout' }, 409, 'lock_timeout'],
  ] as const)('keeps nothing of %s', async (_name, fault, statusCode, code) => {
    standIn.fault(onceFor(() => true, fault))
    expect(await errorOf(pay('a'))).toMatchObject({ statusCode, code })
    expect(standIn.ledger()).toEqual([])
    expect((await pay('a')).status).toBe('succeeded')
  })

  it('is rate limited before it is looked at: a 429 reveals nothing about an earlier request', async () => {
    await pay('a')
    standIn.fault(onceFor(() => true, { kind: 'rate limit' }))
    expect(await errorOf(pay('a', 6_00))).toMatchObject({ type: 'StripeRateLimitError' })
  })

  it('is kept for 24 hours, and forgotten after them', async () => {
    const first = await pay('a')
    await standIn.advance(24 * HOUR - 60_000)
    expect((await pay('a')).id).toBe(first.id)
    await standIn.advance(60_000)
    expect((await pay('a')).id).not.toBe(first.id)
  })

  it('shows whether an order was ever executed, by an unconfirmed create', async () => {
    const giveUp = (key: string) =>
      client.paymentIntents.create({ amount: 5_00, currency: 'usd' }, { idempotencyKey: key })
    await pay('a')
    expect(await errorOf(giveUp('a'))).toMatchObject({ rawType: 'idempotency_error' })
    const unused = await giveUp('b')
    expect(unused.status).toBe('requires_payment_method')
    expect(await errorOf(pay('b'))).toMatchObject({ rawType: 'idempotency_error' })
    expect(standIn.ledger().filter(({ kind }) => kind === 'capture')).toHaveLength(1)
  })

  it('has 255 characters at most', async () => {
    expect(await errorOf(pay('a'.repeat(256)))).toMatchObject({ statusCode: 400 })
    expect((await pay('a'.repeat(255))).status).toBe('succeeded')
  })
})
