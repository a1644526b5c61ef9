// Charges whose gateway is silent take no more than their account's share of a worker's jobs. The
// account's other charges wait for a free job; those of other accounts do not.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { jobKind } from '../../src/queue/catalogue.ts'
import { soon } from '../support/soon.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const SHARE = jobKind('charge').atOnce / 2
const CHARGES = SHARE + 20

const OFTEN = { timeout: 20_000, interval: 2 }
const ASYNC = { prefer: 'respond-async' }

describe('an account whose gateway is silent', () => {
  let service: TestService
  let silent: Merchant
  let asked = 0
  let speak = () => {}
  const spoken = new Promise<void>((resolve) => {
    speak = resolve
  })

  beforeAll(async () => {
    service = await openTestService({
      // The sweep keeps finding the waiting rows; a slow machine must not end the silence.
      timings: { gatewayTimeoutMs: 60_000, leaseMs: 120_000, paymentLeaseMs: 120_000 },
      withGateway: (real) => ({
        ...real,
        async carryOut(order, signal) {
          if (order.accountId === silent.accountId) {
            asked += 1
            await spoken
          }
          return real.carryOut(order, signal)
        },
      }),
    })
    silent = await service.merchant()
    const card = await service.card(silent)
    // Rows of the same moment share a job, and the share counts jobs: each row gets its own job if
    // the gateway was asked about it before the next row comes.
    for (let n = 0; n < CHARGES; n += 1) {
      await service.charge(silent, { total: 1, payment_method_id: card }, ASYNC)
      await soon(() => expect(asked).toBe(Math.min(n + 1, SHARE)), OFTEN)
    }
  })
  afterAll(() => service.close())

  it('is asked about as many charges as its share, and no more', async () => {
    expect(asked).toBe(SHARE)
    await pause(2_000) // The jobs that were put off have come back by then.
    expect(asked).toBe(SHARE)
  })

  it('delays the charges of no other account', async () => {
    const other = await service.merchant()
    const card = await service.card(other)
    const { body } = await service.charge(other, { total: 1, payment_method_id: card })
    expect(body.status).toBe('SUCCESS')
  })

  it('sends each of its other charges back once a second, and no more with each sweep', async () => {
    const SECONDS = 3
    const nudge = vi.spyOn(service.world.queues, 'nudge')
    await pause(SECONDS * 1_000 + 500)
    const returns = new Map<string, number>()
    for (const [, { id }] of nudge.mock.calls) returns.set(id, (returns.get(id) ?? 0) + 1)
    nudge.mockRestore()
    expect(returns.size).toBe(CHARGES - SHARE)
    expect(Math.max(...returns.values())).toBeLessThanOrEqual(SECONDS + 1)
  })

  it('has all its charges made, each once', async () => {
    speak()
    const made = async () => {
      const text =
        "SELECT count(*)::int FROM transaction WHERE account_id = $1 AND status = 'SUCCESS'"
      const [row] = await service.world.db.query(text, [silent.accountId])
      return row?.count
    }
    await expect.poll(made).toBe(CHARGES)
    expect(asked).toBe(CHARGES)
  })
})
