// Whatever is done with an account, in any order: after each step the service agrees with a small
// model of the documentation.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTurn } from '../../src/core/turns.ts'
import { audit } from '../chaos/audit.ts'
import { between, type Random, seeded } from '../chaos/random.ts'
import {
  gatewayWithFaults,
  type ModelledAccount,
  type OrderFaults,
} from '../support/modelled-account.ts'
import { expectAsModelled, remember, rememberNone } from '../support/modelled-checks.ts'
import { release } from '../support/modelled-follow-ups.ts'
import { charge, STEPS, type Step } from '../support/modelled-steps.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

/** Enough steps to do everything many times; more of them when there is time. */
const ACCOUNTS = Number(process.env.MODEL_ACCOUNTS ?? 60)

/** New seeds each time; an account that fails prints its seed, to be run again alone. */
const SEEDS =
  process.env.MODEL_SEED === undefined
    ? Array.from({ length: ACCOUNTS }, () => Math.floor(Math.random() * 2 ** 32))
    : [Number(process.env.MODEL_SEED)]

const LIVES_AT_ONCE = 10
const FEWEST_STEPS = 8
const MOST_STEPS = 20

/** No process dies here, and a busy machine is not a silent gateway. */
const TIMINGS = {
  gatewayTimeoutMs: 60_000,
  leaseMs: 90_000,
  paymentLeaseMs: 90_000,
  nudgeGraceMs: 10_000,
}
const SETTINGS = { CHARGE_WAIT_MS: '60s' }

const LONG_TEST = { timeout: 240_000 }

describe('an account', () => {
  let service: TestService
  const faultsByAccount = new Map<string, OrderFaults>()
  // Prisma waits two seconds for a transaction to begin: on a busy machine ten at once take longer.
  const oneByOne = inTurn()
  const seen = new Set<Step>()

  beforeAll(async () => {
    service = await openTestService({
      settings: SETTINGS,
      timings: TIMINGS,
      withGateway: (sandbox) => gatewayWithFaults(sandbox, faultsByAccount),
    })
  })
  afterAll(() => service.close())

  async function begin(random: Random): Promise<ModelledAccount> {
    const merchant = await service.merchant()
    const now = new Date()
    // The account leaves real time at once, before anything is in progress.
    const sql = 'UPDATE account SET clock_at = $2 WHERE id = $1'
    await service.world.db.query(sql, [merchant.accountId, now])
    const goodCard = await service.card(merchant)
    const badCard = await service.card(merchant, '4000000000000002')
    const make = async (path: string, body: object) =>
      (await call(service.app, 'POST', path, merchant.headers, body)).body.id
    const faults: OrderFaults = { next: 'none', onOrder: () => {} }
    faultsByAccount.set(merchant.accountId, faults)
    return {
      service,
      merchant,
      goodCard,
      badCard,
      customer: await make('/customer', { firstname: 'Ada' }),
      link: await make('/payment-link', { common_name: 'Tea' }),
      random,
      faults,
      entities: [],
      answered: [],
      held: undefined,
      isLinkDeleted: false,
      now,
    }
  }

  async function runSeed(seed: number): Promise<void> {
    const random = seeded(seed)
    const account = await oneByOne('account', () => begin(random))
    const log: string[] = []
    try {
      await take(account, charge, log)
      const count = between(random, FEWEST_STEPS, MOST_STEPS)
      for (let i = 0; i < count; i += 1) await take(account, drawn(random), log)
      await take(account, release, log)
      await expectAsModelled(account, rememberNone(account))
    } catch (error) {
      throw new Error(`MODEL_SEED=${seed}\n${log.join('\n')}`, { cause: error })
    }
  }

  async function take(account: ModelledAccount, step: Step, log: string[]): Promise<void> {
    log.push(`(${step.name})`)
    const before = remember(account)
    log.push(await step(account))
    seen.add(step)
    await expectAsModelled(account, before)
  }

  it('is as the model says, after every step of many accounts', LONG_TEST, async () => {
    const seeds = [...SEEDS]
    const next = async () => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) await runSeed(seed)
    }
    await Promise.all(Array.from({ length: LIVES_AT_ONCE }, next))
    expect(await audit(service.databaseUrl, [])).toEqual([])
    // Every possible step was taken, unless a single account is run again.
    if (SEEDS.length > 1) expect(seen).toEqual(new Set(STEPS.map(([, step]) => step)))
  })
})

function drawn(random: Random): Step {
  let left = random() * STEPS.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, step] of STEPS) {
    left -= weight
    if (left < 0) return step
  }
  return release
}
