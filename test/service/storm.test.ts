// Many requests at once with one idempotency key: one of them charges, the others get its answer.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/http/app.ts'
import { audit } from '../chaos/audit.ts'
import { type FaultyGateway, faultyGateway } from '../support/faulty-gateway.ts'
import { openFurther } from '../support/further.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const CALLERS = 200

/** Longer than all of them need on a busy machine: a caller that waits too long gets PENDING. */
const WAIT = { CHARGE_WAIT_MS: '60s', RATE_LIMIT_PER_MINUTE: '100000' }

/** No process dies here, and a busy machine is not a silent gateway. */
const TIMINGS = { gatewayTimeoutMs: 20_000, leaseMs: 30_000, paymentLeaseMs: 30_000 }

const LONG_TEST = { timeout: 60_000 }

describe('200 charges at once', () => {
  let service: TestService
  let gateway: FaultyGateway | undefined
  let merchant: Merchant
  let card: string

  beforeAll(async () => {
    service = await openTestService({
      settings: WAIT,
      timings: TIMINGS,
      // The gateway is slow enough for all of them to come while the first is in progress.
      withGateway(sandbox) {
        gateway = faultyGateway(sandbox, { fault: () => 'slow', slowMs: 500 })
        return gateway
      },
    })
    merchant = await service.merchant()
    card = await service.card(merchant)
  })
  afterAll(() => service.close())

  function storm(apps: readonly App[], keyOf: (caller: number) => string): Promise<Answer[]> {
    const order = { total: 12.5, payment_method_id: card }
    const callers = Array.from({ length: CALLERS }, (_, caller) => caller)
    return Promise.all(
      callers.map((caller) => {
        const headers = { ...merchant.headers, 'idempotency-key': keyOf(caller) }
        return call(apps[caller % apps.length] ?? service.app, 'POST', '/charge', headers, order)
      }),
    )
  }

  async function expectOneCharge(key: string, answers: readonly Answer[]): Promise<void> {
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(replayed.length).toBe(CALLERS - 1)

    const { id, status } = answers.at(0)?.body ?? {}
    expect(status).toBe('SUCCESS')
    expect(await transactionsOf(key)).toEqual([id])
    expect(gateway?.orders.filter((order) => order === id)).toEqual([id])
    const journal = answers.map(({ text }) => ({ id, key, cents: 12_50, status, body: text }))
    expect(await audit(service.databaseUrl, journal)).toEqual([])
  }

  async function transactionsOf(key: string): Promise<readonly string[]> {
    const sql = 'SELECT id FROM transaction WHERE idempotency_id = $1'
    return (await service.world.db.query(sql, [key])).map(({ id }) => id)
  }

  it('with one key are one charge, one order and one answer', LONG_TEST, async () => {
    const key = randomUUID()
    await expectOneCharge(key, await storm([service.app], () => key))
  })

  it('with one key at two processes are one charge as well', LONG_TEST, async () => {
    await using further = await openFurther(service)
    const key = randomUUID()
    await expectOneCharge(key, await storm([service.app, further.app], () => key))
  })

  it('with a key each are 200 charges', LONG_TEST, async () => {
    const answers = await storm([service.app], () => randomUUID())
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(CALLERS)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toEqual([])
    expect(new Set(gateway?.orders).size).toBe(gateway?.orders.length)
  })
})
