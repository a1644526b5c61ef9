// A charge, a capture, a refund and a void, with all pairs of the faults of a gateway and of a
// worker: in the end our ledger and the gateway's agree, and an order that arrives later changes
// nothing.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Gateway, Order } from '../../src/outside/gateway/port.ts'
import { makeCharge, makeRefund, resolveDoubt } from '../../src/payments/make/make-payment.ts'
import { overduePayments } from '../../src/payments/take/due-payments.ts'
import type { World } from '../../src/world.ts'
import { audit } from '../chaos/audit.ts'
import { seeded } from '../chaos/random.ts'
import { allPairs, type PairwiseCase } from '../support/all-pairs.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { movableClock } from '../support/end-windows.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** The sandbox carries out no charge for a key that it does not know. */
const NO_PARENT = { key: 'none', operation: 'charge', gatewayId: null } as const

const SEED = Number(process.env.PAIRS_SEED ?? 1)

const DIMENSIONS = {
  operation: ['charge', 'capture', 'refund', 'void'],
  /** The gateway's answer to the first order. */
  gateway: ['answers', 'declines', 'turns away', 'slow', 'silent before', 'silent after'],
  /** The point at which the first worker dies. */
  dies: ['nowhere', 'after take', 'after order', 'after record', 'frozen after take'],
  /** The time that passes before a worker looks at the payment again. */
  passes: ['nothing', 'the lease', 'the deadline'],
  /** The gateway's answer to the first question about the payment. */
  asked: ['answers', 'silent'],
  /** The moment at which a slow order arrives. */
  arrives: ['before it is asked after', 'after it', 'at the end'],
  link: ['none', 'deleted meanwhile'],
} as const

type Scenario = PairwiseCase<typeof DIMENSIONS>

const LEASE_MS = 30_000
const DEADLINE_MS = 3 * 3_600_000
const NEVER = new AbortController().signal
const ASYNC = { prefer: 'respond-async' }
const ACTIONS = { charge: makeCharge, refund: makeRefund, doubt: resolveDoubt }
/** Far more than any scenario needs. */
const MOST_STEPS = 30

class Death extends Error {}

describe(`a fault of the gateway (PAIRS_SEED=${SEED})`, () => {
  const clock = movableClock()
  let service: TestService
  let merchant: Merchant
  let card: string
  let scenario: Scenario | undefined
  let ordered = 0
  let asked = 0
  const onTheirWay: (() => Promise<Answer>)[] = []

  beforeAll(async () => {
    service = await openTestService({
      clock,
      queues: [],
      timings: { gatewayTimeoutMs: LEASE_MS / 3, leaseMs: LEASE_MS, paymentLeaseMs: LEASE_MS },
      settings: { PENDING_DEADLINE_MS: String(DEADLINE_MS) },
      withGateway,
    })
    merchant = await service.merchant()
    card = await service.card(merchant)
  })
  afterAll(() => service.close())

  function withGateway(sandbox: Gateway): Gateway {
    return {
      ...sandbox,
      carryOut: (order, signal) => meetOrder(sandbox, order, signal),
      lookUp: (question, signal) => (isSilentNow() ? silence() : sandbox.lookUp(question, signal)),
      giveUp: (order, signal) => (isSilentNow() ? silence() : sandbox.giveUp(order, signal)),
    }
  }

  async function meetOrder(sandbox: Gateway, order: Order, signal: AbortSignal): Promise<Answer> {
    ordered += 1
    const carryOut = () => sandbox.carryOut(order, signal)
    const does = ordered === 1 ? (scenario?.gateway ?? 'answers') : 'answers'
    switch (does) {
      case 'answers':
        return carryOut()
      case 'declines':
        return sandbox.carryOut({ ...order, parent: NO_PARENT }, signal)
      case 'turns away':
        return { kind: 'turned_away', message: 'Try again later' }
      case 'slow':
        onTheirWay.push(carryOut)
        return silence()
      case 'silent before':
        return silence()
      case 'silent after':
        await carryOut()
        return silence()
    }
  }

  function isSilentNow(): boolean {
    asked += 1
    return scenario?.asked === 'silent' && asked === 1
  }

  const silence = (): Promise<never> => Promise.reject(new Error('the connection was reset'))
  const arrive = () => Promise.all(onTheirWay.splice(0).map((order) => order()))

  const rowOf = async (id: string) =>
    (await service.world.db.query('SELECT * FROM transaction WHERE id = $1', [id]))[0] ?? {}

  async function made(body: object): Promise<string> {
    const { id } = (
      await service.charge(merchant, { total: 10, payment_method_id: card, ...body }, ASYNC)
    ).body
    await makeCharge(service.world, { accountId: merchant.accountId, id }, NEVER)
    expect((await rowOf(id)).status).toBe('SUCCESS')
    return id
  }

  /** The payment of the scenario, accepted and not yet taken. */
  async function begin(operation: Scenario['operation'], link: object): Promise<string> {
    if (operation === 'charge') {
      const body = { total: 10, payment_method_id: card, ...link }
      return (await service.charge(merchant, body, ASYNC)).body.id
    }
    const parent = await made({ ...link, pre_auth: operation === 'capture' })
    if (operation === 'refund') await takeIntoBatch(service, [parent])
    const url = `/transaction/${parent}/${operation}`
    const headers = { ...merchant.headers, ...ASYNC }
    expect((await call(service.app, 'POST', url, headers, {})).status).toBe(202)
    const children = 'SELECT id FROM transaction WHERE reference_id = $1'
    return (await service.world.db.query(children, [parent]))[0]?.id
  }

  async function newLink(): Promise<string> {
    const body = { common_name: 'Coffee' }
    return (await call(service.app, 'POST', '/payment-link', merchant.headers, body)).body.id
  }

  /** A process that ends or stands still at the point that the scenario names. */
  function doomed(dies: Scenario['dies']): World {
    const { db } = service.world
    const isRecord = (name: string) => name.startsWith('record-') || name === 'postpone-payment'
    const die = (): never => {
      throw new Death()
    }
    const ask: typeof db.ask = async (statement, input) => {
      const { name } = statement
      if (dies === 'after order' && isRecord(name)) die()
      const answer = await db.ask(statement, input)
      if (name === 'take-payment' && dies === 'after take') die()
      if (name === 'take-payment' && dies === 'frozen after take') clock.move(LEASE_MS + 1)
      if (dies === 'after record' && isRecord(name)) die()
      return answer
    }
    const commit: typeof db.commit = async (about, work) => {
      const isOutcome = about.startsWith('transaction ')
      if (dies === 'after order' && isOutcome) die()
      const answer = await db.commit(about, work)
      if (dies === 'after record' && isOutcome) die()
      return answer
    }
    return { ...service.world, db: { ...db, ask, commit } }
  }

  /** A worker looks at the payment whenever it is due, until it is decided. */
  async function finish(id: string): Promise<void> {
    const key = { accountId: merchant.accountId, id }
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const row = await rowOf(id)
      if (row.status !== 'PENDING') return
      if (row.parked_at !== null) {
        await service.world.db.query(
          'UPDATE transaction SET parked_at = NULL, due_at = $2 WHERE id = $1',
          [id, clock.now()],
        )
      } else if (row.due_at > clock.now()) clock.move(row.due_at.getTime() - Date.now() + 1)
      const due = await overduePayments(service.world, clock.now(), 1_000)
      const found = due.find((one) => one.id === id)
      if (found !== undefined) await ACTIONS[found.work](service.world, key, NEVER)
      if (scenario?.arrives === 'after it' && asked > 0) await arrive()
    }
    throw new Error('it was never decided')
  }

  async function run(of: Scenario): Promise<string> {
    scenario = undefined
    const linkId = of.link === 'none' ? undefined : await newLink()
    const id = await begin(of.operation, linkId === undefined ? {} : { payment_link_id: linkId })
    ordered = 0
    asked = 0
    scenario = of
    const first = of.operation === 'charge' || of.operation === 'capture' ? makeCharge : makeRefund
    await first(doomed(of.dies), { accountId: merchant.accountId, id }, NEVER).catch((error) => {
      if (!(error instanceof Death)) throw error
    })
    if (linkId !== undefined) {
      const url = `/query/payment-links/${linkId}`
      expect((await call(service.app, 'DELETE', url, merchant.headers)).status).toBe(200)
    }
    if (of.arrives === 'before it is asked after') await arrive()
    if (of.passes === 'the lease') clock.move(LEASE_MS + 1)
    if (of.passes === 'the deadline') clock.move(DEADLINE_MS + 1)
    await finish(id)
    return id
  }

  const OURS_AND_THEIRS = `
    SELECT t.status::text AS ours, coalesce(p.outcome, 'unknown') AS theirs, t.attempt
    FROM transaction t
    LEFT JOIN sandbox_gateway_payment p ON p.account_id = t.account_id AND p.key = t.id::text
    WHERE t.id = $1`

  async function expectAgreement(id: string): Promise<void> {
    const [row] = await service.world.db.query(OURS_AND_THEIRS, [id])
    const { ours, theirs, attempt } = row ?? {}
    const fits = ours === 'SUCCESS' ? ['approved'] : ['declined', 'given_up']
    if (ours === 'FAILED' && attempt === 1) fits.push('unknown')
    expect(fits).toContain(theirs)
  }

  it.each(allPairs(DIMENSIONS, seeded(SEED)))(
    '$operation: gateway $gateway, worker dies $dies, $passes passes, asked: $asked, arrives $arrives, link $link',
    async (of) => {
      const id = await run(of)
      await expectAgreement(id)
      await arrive()
      await expectAgreement(id)
    },
  )

  it('leaves ledgers that agree', async () => {
    expect(await audit(service.databaseUrl, [])).toEqual([])
  })
})
