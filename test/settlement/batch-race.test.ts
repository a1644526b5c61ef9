// Voids and the cutoff come at the same moment: for each transaction one of them wins, in our
// ledger and in the gateway's, at any server and however many workers close the batch.

import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { dateText } from '../../src/core/whole-days.ts'
import { reconcile } from '../../src/settlement/reconcile.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import { audit } from '../chaos/audit.ts'
import { between, pick, seeded } from '../chaos/random.ts'
import { movableClock } from '../support/end-windows.ts'
import { type Further, openFurther } from '../support/further.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** As many voids as the machine can bear. */
const RACES = Number(process.env.BATCH_RACE ?? 640)

/** Each has a batch of its own, and so a moment of its own. */
const MERCHANTS = 8
const SALES = 10
const ROUNDS = Math.ceil(RACES / (MERCHANTS * SALES))

/** No process dies here, and a busy machine is not a silent gateway. */
const TIMINGS = { gatewayTimeoutMs: 60_000, leaseMs: 90_000, nudgeGraceMs: 30_000 }
const SETTINGS = { CHARGE_WAIT_MS: '60s', PENDING_DEADLINE_MS: '48h' }

const LONG_TEST = { timeout: 60_000 + RACES * 200 }

interface Seller {
  readonly merchant: Merchant
  readonly card: string
}

interface Raced {
  readonly id: string
  /** The answer to the void. */
  readonly said: string
}

describe(`${RACES} voids at the cutoff`, () => {
  const clock = movableClock()
  const random = seeded(RACES)
  const sellers: Seller[] = []
  const all: Raced[] = []
  /** How long the last closing took. */
  let closingMs = 100
  let service: TestService
  let further: Further

  beforeAll(async () => {
    service = await openTestService({
      clock,
      timings: TIMINGS,
      settings: SETTINGS,
      queues: ['charge', 'refund', 'doubt'],
    })
    further = await openFurther(service)
    for (let n = 0; n < MERCHANTS; n += 1) sellers.push(await openSeller())
  }, LONG_TEST.timeout)
  afterAll(async () => {
    await further[Symbol.asyncDispose]()
    await service.close()
  })

  async function openSeller(): Promise<Seller> {
    const merchant = await service.merchant()
    return { merchant, card: await service.card(merchant) }
  }

  async function sell({ merchant, card }: Seller): Promise<string> {
    const { body } = await service.charge(merchant, { total: 5, payment_method_id: card })
    expect(body.status).toBe('SUCCESS')
    return body.id
  }

  async function voidOf({ merchant }: Seller, id: string, afterMs: number): Promise<Raced> {
    await delay(afterMs)
    const { app } = pick(random, [service, further])
    const { status, body } = await call(app, 'POST', `/transaction/${id}/void`, merchant.headers)
    return { id, said: status === 200 ? 'voided' : `${status} ${body.error}` }
  }

  /** Closes it in two processes. */
  async function close({ merchant: { accountId } }: Seller): Promise<void> {
    const startedMs = performance.now()
    const scope = { accountId, now: clock.now() }
    await Promise.all([service, further].map(({ world }) => settleAccount(world, scope)))
    closingMs = performance.now() - startedMs
  }

  /** Some are voided in time; the others while the batch is being closed, or a little later. */
  async function race(seller: Seller, ids: readonly string[]): Promise<readonly Raced[]> {
    const inTime = between(random, 0, SALES / 2)
    const first = await Promise.all(ids.slice(0, inTime).map((id) => voidOf(seller, id, 0)))
    const latestMs = Math.round(1.5 * closingMs)
    const closing = close(seller)
    const rest = ids.slice(inTime).map((id) => voidOf(seller, id, between(random, 0, latestMs)))
    await closing
    return [...first, ...(await Promise.all(rest))]
  }

  it('void a transaction or leave it to the batch, never both', LONG_TEST, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const sold = await Promise.all(
        sellers.map((seller) => Promise.all(Array.from({ length: SALES }, () => sell(seller)))),
      )
      clock.move(DAY)
      const raced = await Promise.all(sellers.map((seller, n) => race(seller, sold[n] ?? [])))
      all.push(...raced.flat())
    }
    const rows = await service.world.db.query(
      `SELECT t.id, t.is_voided, b.id IS NOT NULL AS is_batched, b.status AS batch,
         (SELECT count(*)::integer FROM sandbox_gateway_payment g
           WHERE g.parent_key = t.id::text AND g.operation = 'void') AS voids
       FROM transaction t
       LEFT JOIN batch b ON b.account_id = t.account_id AND b.business_date = t.business_date
         AND t.void_id IS NULL
       WHERE t.type = 'charge'`,
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    const seen = all.map(({ id, said }) => {
      const { is_voided, is_batched, batch, voids } = byId.get(id) ?? {}
      return `${said}: voided ${is_voided}, batched ${is_batched}, ${batch}, ${voids} voids there`
    })
    expect([...new Set(seen)].sort()).toEqual([
      '409 already_batched: voided false, batched true, closed, 0 voids there',
      'voided: voided true, batched false, null, 1 voids there',
    ])
    // Both won often enough to have met.
    const voided = all.filter(({ said }) => said === 'voided').length
    expect(Math.min(voided, all.length - voided)).toBeGreaterThan(all.length / 20)
  })

  it('leave ledgers that agree', LONG_TEST, async () => {
    // The gateway may still be notified of the last of them.
    const agree = async () => expect(await audit(service.databaseUrl, [])).toEqual([])
    await soon(agree)
    const days = await service.world.db.query('SELECT DISTINCT business_date FROM batch')
    // A round in which every void was in time leaves nothing for a batch.
    expect(days.length).toBeGreaterThan(ROUNDS / 2)
    for (const { business_date } of days) {
      const compared = await reconcile(service.world, dateText(business_date), undefined)
      expect(compared.flatMap(({ differences }) => differences)).toEqual([])
    }
  })
})
