import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, PAYMENT } from './client.ts'
import { holdRequest } from './held-request.ts'
import { onceFor, type StripeFault } from './stand-in/faults.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

const SILENT = { type: 'StripeConnectionError' }
/** Long enough for a request to arrive on a busy machine. */
const TIMEOUT_MS = 600

const GARBLED = { type: 'StripeAPIError' }

let standIn: StripeStandIn

beforeEach(async () => {
  standIn = await openStripe()
  return () => standIn[Symbol.asyncDispose]()
})

function pay(timeout = 5000) {
  const client = clientOf(standIn, { timeout })
  return client.paymentIntents.create(PAYMENT, { idempotencyKey: 'a' })
}

function plan(fault: StripeFault): void {
  standIn.fault(onceFor(({ path }) => path === '/v1/payment_intents', fault))
}

const payments = () => standIn.ledger().filter(({ kind }) => kind === 'payment').length

describe('a fault', () => {
  it.each<[string, StripeFault, object, number]>([
    ['cut before', { kind: 'cut', isExecuted: false }, SILENT, 0],
    ['cut after', { kind: 'cut', isExecuted: true }, SILENT, 1],
    ['reset in the body', { kind: 'reset in the body' }, SILENT, 1],
    ['bad gateway before', { kind: 'bad gateway', isExecuted: false }, GARBLED, 0],
    ['bad gateway after', { kind: 'bad gateway', isExecuted: true }, GARBLED, 1],
    ['garbage before', { kind: 'garbage', isExecuted: false }, GARBLED, 0],
    ['garbage after', { kind: 'garbage', isExecuted: true }, GARBLED, 1],
    ['500 before', { kind: 'server error', when: 'before' }, { statusCode: 500 }, 0],
    ['500 instead', { kind: 'server error', when: 'instead' }, { statusCode: 500 }, 0],
    ['500 after', { kind: 'server error', when: 'after' }, { statusCode: 500 }, 1],
    ['rate limit', { kind: 'rate limit' }, { statusCode: 429, code: 'rate_limit' }, 0],
    ['lock timeout', { kind: 'lock timeout' }, { statusCode: 409, code: 'lock_timeout' }, 0],
    ['lock timeout, 429', { kind: 'lock timeout', status: 429 }, { statusCode: 429 }, 0],
    ['key refused', { kind: 'key refused', status: 401 }, { statusCode: 401 }, 0],
    ['key not allowed', { kind: 'key refused', status: 403 }, { statusCode: 403 }, 0],
  ])('%s is visible to the SDK, and money moved or not', async (_name, fault, error, moved) => {
    plan(fault)
    expect(await errorOf(pay())).toMatchObject(error)
    expect(payments()).toBe(moved)
    expect(standIn.requests).toMatchObject([{ fault: fault.kind }])
  })

  it.each<[string, StripeFault]>([
    ['cut before', { kind: 'cut', isExecuted: false }],
    ['cut after', { kind: 'cut', isExecuted: true }],
    ['reset in the body', { kind: 'reset in the body' }],
    ['bad gateway after', { kind: 'bad gateway', isExecuted: true }],
    ['garbage after', { kind: 'garbage', isExecuted: true }],
  ])('%s is repaired by the same request with the same key', async (_name, fault) => {
    plan(fault)
    await errorOf(pay())
    expect((await pay()).status).toBe('succeeded')
    expect(payments()).toBe(1)
  })

  it.each([true, false])('hang never answers, executed: %s', async (isExecuted) => {
    plan({ kind: 'hang', isExecuted })
    expect(await errorOf(pay(TIMEOUT_MS))).toMatchObject(SILENT)
    expect(payments()).toBe(isExecuted ? 1 : 0)
    expect(standIn.requests).toMatchObject([{ status: undefined, fault: 'hang' }])
  })

  it('slow on its way is executed after the client has gone', async () => {
    const held = holdRequest()
    standIn.fault(held.plan({ while: 'arriving' }))
    expect(await errorOf(pay(TIMEOUT_MS))).toMatchObject(SILENT)
    expect(payments()).toBe(0)
    held.release()
    await expect.poll(payments).toBe(1)
  })

  it('slow in execution keeps the key in use, and ends without the client', async () => {
    const held = holdRequest()
    standIn.fault(held.plan({ while: 'executing' }))
    expect(await errorOf(pay(TIMEOUT_MS))).toMatchObject(SILENT)
    expect(payments()).toBe(0)
    expect(await errorOf(pay())).toMatchObject({ code: 'idempotency_key_in_use' })
    held.release()
    await expect.poll(payments).toBe(1)
  })

  it('slow in answering is executed already', async () => {
    const held = holdRequest()
    standIn.fault(held.plan({ while: 'answering' }))
    expect(await errorOf(pay(TIMEOUT_MS))).toMatchObject(SILENT)
    expect(payments()).toBe(1)
    expect((await pay()).status).toBe('succeeded')
    held.release()
  })

  it('slow for a time is answered in the end', async () => {
    plan({ kind: 'slow', lasts: 50, while: 'answering' })
    expect((await pay()).status).toBe('succeeded')
  })

  it('is planned by the content of a request', async () => {
    standIn.fault(({ account, form, idempotencyKey, method }) => {
      const isMeant = form.amount === '700' && account === 'acct_one' && idempotencyKey === 'k'
      return isMeant && method === 'POST' ? { kind: 'rate limit' } : undefined
    })
    const create = (amount: number) =>
      clientOf(standIn, { stripeAccount: 'acct_one' }).paymentIntents.create(
        { ...PAYMENT, amount },
        { idempotencyKey: 'k' },
      )
    expect(await errorOf(create(7_00))).toMatchObject({ statusCode: 429 })
    expect((await create(8_00)).status).toBe('succeeded')
    standIn.fault()
    expect(await errorOf(create(7_00))).toMatchObject({ rawType: 'idempotency_error' })
  })
})
