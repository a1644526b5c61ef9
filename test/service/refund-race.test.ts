// Many refunds of random parts of one charge come at once, to two processes of the service. The
// successful ones never add up to more than was paid, in our ledger and in the gateway's.

import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECOND } from '../../src/core/time-units.ts'
import { audit } from '../chaos/audit.ts'
import { freePort } from '../chaos/proxies.ts'
import { between, seeded } from '../chaos/random.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** As many refunds as the machine can bear. */
const REFUNDS = Number(process.env.REFUND_RACE ?? 1_000)

/** The parts are multiples of this, and the total is not, so something is always left. */
const UNIT = 7
const UNITS = 100_000
const TOTAL = UNITS * UNIT + 3

/**
 * So many that fewer parts fit than a charge may have refunds. A thousand ask for 25 times the amount
 * that was paid.
 */
const MOST_UNITS_A_PART = UNITS / 20

/** Longer than all of them need on a busy machine: a caller that waits too long gets PENDING. */
const SETTINGS = { CHARGE_WAIT_MS: '120s', RATE_LIMIT_PER_MINUTE: '1000000' }

/** No process dies here, and a busy machine is not a silent gateway. */
const TIMINGS = {
  gatewayTimeoutMs: 60_000,
  leaseMs: 90_000,
  paymentLeaseMs: 90_000,
  nudgeGraceMs: 10_000,
  jobLockMs: 60_000,
}

/** What the service logs of so many requests at once. */
const LOAD =
  /the store that counts requests does not answer|connection error \(\d+ more in|the service is overloaded/

const LONG_TEST = { timeout: 180_000 }

/** Another process with the stores of the service: an API server that works too. */
function startOther({ databaseUrl, redis }: TestService, port: number): ServiceProcess {
  return startServiceProcess({
    name: `process ${port}`,
    role: 'start',
    timings: TIMINGS,
    environment: {
      ...SETTINGS,
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
      PORT: String(port),
    },
  })
}

describe(`${REFUNDS} refunds of one charge at once`, () => {
  let service: TestService
  let others: readonly ServiceProcess[]
  let ports: readonly number[]
  let merchant: Merchant
  let id: string

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: SETTINGS })
    ports = await Promise.all([freePort(), freePort()])
    others = ports.map((port) => startOther(service, port))
    await Promise.all(others.map(({ ready }) => ready))
    merchant = await service.merchant()
    const order = { total: money(TOTAL), payment_method_id: await service.card(merchant) }
    const charged = await post(0, '/charge', order)
    expect(charged.body).toMatchObject({ status: 'SUCCESS', is_voidable: true })
    id = charged.body.id
    await takeIntoBatch(service, [id])
  }, LONG_TEST.timeout)
  afterAll(async () => {
    await Promise.all(others.map((one) => one[Symbol.asyncDispose]()))
    const log = others.map((one) => one.log()).join('')
    await service.close()
    const faults = log.split('\n').filter((line) => line !== '' && !LOAD.test(line))
    expect(faults).toEqual([])
  })

  /** What is refused since the process is busy has begun nothing, and is sent again. */
  async function post(
    which: number,
    path: string,
    body: object,
    // biome-ignore lint/suspicious/noExplicitAny: looked into as a client without types does
  ): Promise<{ status: number; body: any }> {
    const response = await fetch(`http://127.0.0.1:${ports[which]}${path}`, {
      method: 'POST',
      headers: { ...merchant.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (answer.error !== 'overloaded') return { status: response.status, body: answer }
    await delay(Number(response.headers.get('retry-after')) * SECOND)
    return post(which, path, body)
  }

  const refund = (cents: number, which = 0) =>
    post(which, `/transaction/${id}/refund`, { total: money(cents) })

  /** The amounts in cents, in the order of their ids. */
  const ours = () =>
    service.world.db.query(
      `SELECT id::text, type::text, total::integer, status = 'SUCCESS' AS is_done, auth_id
       FROM transaction WHERE reference_id = $1 ORDER BY id`,
      [id],
    )
  const gateways = () =>
    service.world.db.query(
      `SELECT key AS id, operation AS type, amount::integer AS total,
         outcome = 'approved' AS is_done, gateway_id AS auth_id
       FROM sandbox_gateway_payment WHERE parent_key = $1 ORDER BY key`,
      [id],
    )

  async function parent() {
    const sql = `SELECT captured::integer, refunded::integer, reserved::integer, children
      FROM transaction WHERE id = $1`
    return (await service.world.db.query(sql, [id]))[0] ?? {}
  }

  it('never give back more than was paid', LONG_TEST, async () => {
    const random = seeded(REFUNDS)
    const parts = Array.from(
      { length: REFUNDS },
      () => UNIT * between(random, 1, MOST_UNITS_A_PART),
    )
    expect(sum(parts)).toBeGreaterThan(5 * TOTAL)
    const answers = await Promise.all(parts.map((cents, i) => refund(cents, i % 2)))

    const outcomes = answers.map(({ status, body }) => `${status} ${body.error ?? ''}`)
    expect([...new Set(outcomes)].sort()).toEqual(['200 ', '409 refund_exceeds_remaining'])
    const granted = parts.filter((_, i) => answers[i]?.status === 200)
    expect(granted.length).toBeGreaterThan(UNITS / MOST_UNITS_A_PART)
    expect(sum(granted)).toBeLessThanOrEqual(TOTAL)

    const children = await ours()
    expect(children.map(({ total }) => total).sort(byNumber)).toEqual([...granted].sort(byNumber))
    expect(children.filter(({ type, is_done }) => type !== 'refund' || !is_done)).toEqual([])
    expect(await gateways()).toEqual(children)
    expect(await parent()).toEqual({
      captured: TOTAL,
      refunded: sum(granted),
      reserved: 0,
      children: granted.length,
    })
    expect(await audit(service.databaseUrl, [])).toEqual([])
  })

  it('leave what is left, to the cent', LONG_TEST, async () => {
    const left = TOTAL - (await parent()).refunded
    const tooMuch = await refund(left + 1)
    expect(tooMuch).toMatchObject({ status: 409, body: { error: 'refund_exceeds_remaining' } })
    const exact = await refund(left)
    expect(exact).toMatchObject({
      status: 200,
      body: { total_refunded: TOTAL / 100, is_refundable: false },
    })
    const oneCentMore = await refund(1, 1)
    expect(oneCentMore).toMatchObject({ status: 409, body: { error: 'refund_exceeds_remaining' } })
    expect(sum((await gateways()).map(({ total }) => total))).toBe(TOTAL)
    expect(await parent()).toMatchObject({ refunded: TOTAL, reserved: 0 })
  })
})

function money(cents: number): string {
  return (cents / 100).toFixed(2)
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0)
}

function byNumber(a: number, b: number): number {
  return a - b
}
