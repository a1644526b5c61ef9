// Whatever is done with an account, in any order: after each step the service agrees with a small
// model of the documentation.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTurn } from '../../src/core/turns.ts'
import { audit } from '../chaos/audit.ts'
import { between, type Random, seeded } from '../chaos/random.ts'
import { gatewayWithFaults, type Life, type OrderFaults } from '../support/life.ts'
import { expectAsModelled, remember, rememberNone } from '../support/life-checks.ts'
import { release } from '../support/life-follow-ups.ts'
import { charge, STEPS, type Step } from '../support/life-steps.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

/** Enough steps to do everything many times; more of them when there is time. */
const LIVES = Number(process.env.MODEL_LIVES ?? 60)

/** New seeds each time; a life that fails prints its seed, to be run again alone. */
const SEEDS =
  process.env.MODEL_SEED === undefined
    ? Array.from({ length: LIVES }, () => Math.floor(Math.random() * 2 ** 32))
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

  async function begin(random: Random): Promise<Life> {
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

  async function live(seed: number): Promise<void> {
    const random = seeded(seed)
    const life = await oneByOne('life', () => begin(random))
    const diary: string[] = []
    try {
      await take(life, charge, diary)
      const count = between(random, FEWEST_STEPS, MOST_STEPS)
      for (let i = 0; i < count; i += 1) await take(life, drawn(random), diary)
      await take(life, release, diary)
      await expectAsModelled(life, rememberNone(life))
    } catch (error) {
      throw new Error(`MODEL_SEED=${seed}\n${diary.join('\n')}`, { cause: error })
    }
  }

  async function take(life: Life, step: Step, diary: string[]): Promise<void> {
    diary.push(`(${step.name})`)
    const before = remember(life)
    diary.push(await step(life))
    seen.add(step)
    await expectAsModelled(life, before)
  }

  it('is as the model says, after every step of many lives', LONG_TEST, async () => {
    const seeds = [...SEEDS]
    const next = async () => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) await live(seed)
    }
    await Promise.all(Array.from({ length: LIVES_AT_ONCE }, next))
    expect(await audit(service.databaseUrl, [])).toEqual([])
    // Every possible step was taken, unless a single life is run again.
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
