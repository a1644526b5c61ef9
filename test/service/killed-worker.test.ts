// How soon the charges of a worker that was killed are final, with the waits that the service has
// in production. Stripe has carried out some of its orders, and has not received the others.

import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { SECOND } from '../../src/core/time-units.ts'
import { defaultTimings as timings } from '../../src/timings.ts'
import { audit } from '../chaos/audit.ts'
import { ALL_CHECKS } from '../chaos/audit-checks.ts'
import { type Deployment, openDeployment } from '../chaos/deployment.ts'
import { ledgerOf } from '../chaos/ledger.ts'
import { makeLiveKey, STRIPE_CARDS } from '../chaos/live-gateway.ts'
import { type Introduced, introduce } from '../chaos/setting.ts'
import type { StripeFault, StripeRequest } from '../stripe/stand-in/faults.ts'
import { openStripe, type StripeStandIn } from '../stripe/stand-in/open.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'

const CHARGES = 20
const FINAL_WITHIN_MS = 10 * SECOND
const LONG = { timeout: 120_000 }
const POLL = { timeout: 60_000, interval: 50 }

let stripe: StripeStandIn
let deployment: Deployment
let api: ServiceProcess
let first: ServiceProcess
let second: ServiceProcess | undefined
let third: ServiceProcess | undefined
let caller: Introduced

beforeAll(async () => {
  stripe = await openStripe()
  deployment = await openDeployment(inject('backend'), {
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_API_URL: stripe.url,
    CHARGE_WAIT_MS: '50ms',
  })
  const { environment } = deployment
  api = startServiceProcess({ name: 'api', role: 'api', environment, timings })
  await api.ready
  first = startWorker('first')
  await first.ready
  caller = await introduce(deployment.address, await makeLiveKey(environment), STRIPE_CARDS)
}, LONG.timeout)

afterAll(async () => {
  for (const part of [api, first, second, third]) await part?.[Symbol.asyncDispose]()
  await deployment?.[Symbol.asyncDispose]()
  await stripe?.[Symbol.asyncDispose]()
})

it('the charges of a killed worker are final within ten seconds', LONG, async () => {
  const isExecuted = (count: number) => count % 2 === 0
  const keys = await orderAll((count) => ({ kind: 'hang', isExecuted: isExecuted(count) }))
  const executed = keys.filter((_, at) => isExecuted(at + 1))
  second = startWorker('second')
  await second.ready
  // The control: a worker that lives keeps its charges, however long Stripe takes.
  await expect.poll(oldestOrderMs, POLL).toBeGreaterThan(2 * timings.paymentLeaseMs)
  expect(stripe.requests.filter(isLookUp)).toEqual([])
  first.signal('SIGKILL')
  await first.ended
  stripe.fault()
  const killedMs = performance.now()
  await expect.poll(countPending, POLL).toBe(0)
  expect(performance.now() - killedMs).toBeLessThan(FINAL_WITHIN_MS)
  expect(ordersOf(executed)).toEqual(executed.map(() => 1))
})

it('those of a frozen worker too, and its late answers change nothing', LONG, async () => {
  let release = () => {}
  const lasts = new Promise<void>((resolve) => {
    release = resolve
  })
  await orderAll(() => ({ kind: 'slow', lasts, while: 'answering' }))
  third = startWorker('third')
  await third.ready
  second?.signal('SIGSTOP')
  const frozenMs = performance.now()
  await expect.poll(countPending, POLL).toBe(0)
  expect(performance.now() - frozenMs).toBeLessThan(FINAL_WITHIN_MS)
  release()
  second?.signal('SIGCONT')
  expect(await second?.end()).toMatchObject({ code: 0 })
})

it('and each of them was made once', async () => {
  const { databaseUrl } = deployment.stores
  const ledger = ledgerOf(stripe.ledger())
  expect(ledger).toHaveLength(2 * CHARGES)
  expect(await audit(databaseUrl, [], ALL_CHECKS, ledger)).toEqual([])
})

function startWorker(name: string): ServiceProcess {
  return startServiceProcess({ name, role: 'worker', environment: deployment.environment, timings })
}

/** Charges, each of which meets the fault, with their orders counted from 1. Returns their keys. */
async function orderAll(faultOf: (count: number) => StripeFault): Promise<readonly string[]> {
  const keys: string[] = []
  stripe.fault((request) => {
    if (!isOrder(request)) return undefined
    keys.push(`${request.idempotencyKey}`)
    return faultOf(keys.length)
  })
  await Promise.all(Array.from({ length: CHARGES }, charge))
  await expect.poll(() => keys.length, POLL).toBe(CHARGES)
  return keys
}

async function charge(): Promise<void> {
  const response = await fetch(`${deployment.address}/charge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ total: 5, payment_method_id: caller.good.id }),
  })
  expect(await response.json()).toMatchObject({ status: 'PENDING' })
}

const PENDING = `
  SELECT count(*)::integer AS count, min(ordered_at) AS oldest FROM transaction
  WHERE status = 'PENDING'`

async function countPending(): Promise<number> {
  return (await deployment.client.query(PENDING)).rows[0].count
}

async function oldestOrderMs(): Promise<number> {
  return Date.now() - (await deployment.client.query(PENDING)).rows[0].oldest
}

function ordersOf(keys: readonly string[]): readonly number[] {
  const sent = stripe.requests.filter(isOrder).map(({ idempotencyKey }) => idempotencyKey)
  return keys.map((key) => sent.filter((one) => one === key).length)
}

type Asked = Pick<StripeRequest, 'idempotencyKey' | 'method'>

function isOrder({ idempotencyKey = '', method }: Asked): boolean {
  return method === 'POST' && idempotencyKey.endsWith(':create')
}

function isLookUp({ method, path }: Pick<StripeRequest, 'method' | 'path'>): boolean {
  return method === 'GET' && path.includes('payment_intents')
}
