// An order may reach the gateway after we have stopped waiting for it. Whatever ends the payment
// meanwhile, our ledger and the gateway's agree: nothing is FAILED that could still take money.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import type { RowKey } from '../../src/db/columns.ts'
import { decidePayment } from '../../src/operators/decide-payment.ts'
import type { Answer, Gateway, OrderState } from '../../src/outside/gateway/port.ts'
import { makeCharge, resolveDoubt } from '../../src/payments/make/make-payment.ts'
import type { Taken } from '../../src/payments/take/take-payment.ts'
import { audit } from '../chaos/audit.ts'
import { movableClock } from '../support/end-windows.ts'
import { makePending } from '../support/payments.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const NEVER = new AbortController().signal
const ASYNC = { prefer: 'respond-async' }

/**
 * Each order stays on its way until the test lets it through, whatever the caller does meanwhile.
 */
interface Road {
  readonly gateway: (sandbox: Gateway) => Gateway
  isHeldUp: boolean
  /** Every order that is on its way arrives; answers the gateway's answer to each. */
  arrive(): Promise<readonly Answer[]>
  readonly sent: string[]
}

function road(): Road {
  const waiting: (() => Promise<Answer>)[] = []
  const sent: string[] = []
  const state: Road = {
    isHeldUp: false,
    sent,
    arrive: () => Promise.all(waiting.splice(0).map((order) => order())),
    gateway: (sandbox) => ({
      ...sandbox,
      carryOut(order, signal) {
        sent.push(order.key)
        if (!state.isHeldUp) return sandbox.carryOut(order, signal)
        waiting.push(() => sandbox.carryOut(order, signal))
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('no answer')), { once: true })
        })
      },
    }),
  }
  return state
}

describe('an order that arrives after we stopped waiting', () => {
  const way = road()
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({
      withGateway: way.gateway,
      settings: { CHARGE_WAIT_MS: '100ms', PENDING_DEADLINE_MS: '3s' },
      timings: { gatewayTimeoutMs: 300, leaseMs: 1_000, paymentLeaseMs: 1_000 },
    })
    merchant = await service.merchant()
  })
  beforeEach(() => {
    way.isHeldUp = true
  })
  afterAll(() => service.close())

  async function outcomeOf(id: string) {
    const [row] = await service.world.db.query(
      `SELECT t.status, t.message, p.outcome FROM transaction t
       LEFT JOIN sandbox_gateway_payment p ON p.account_id = t.account_id AND p.key = t.id::text
       WHERE t.id = $1`,
      [id],
    )
    return row
  }

  const failed = (id: string) =>
    soon(async () => expect((await outcomeOf(id))?.status).toBe('FAILED'))

  it('takes nothing if its link was deleted meanwhile', async () => {
    const link = await call(service.app, 'POST', '/payment-link', merchant.headers, {
      common_name: 'Coffee',
    })
    const payment_link_id = link.body.id
    const body = { total: 5, payment_method_id: await service.card(merchant), payment_link_id }
    const { id } = (await service.charge(merchant, body, ASYNC)).body
    await soon(() => expect(way.sent).toContain(id))
    const url = `/query/payment-links/${payment_link_id}`
    expect((await call(service.app, 'DELETE', url, merchant.headers)).status).toBe(200)
    await failed(id)
    expect(await way.arrive()).toMatchObject([{ kind: 'declined' }])
    expect(await outcomeOf(id)).toMatchObject({
      status: 'FAILED',
      message: expect.stringMatching(/link/),
      outcome: 'given_up',
    })
  })

  it('takes nothing if its deadline has passed meanwhile', async () => {
    const body = { total: 5, payment_method_id: await service.card(merchant) }
    const { id } = (await service.charge(merchant, body, ASYNC)).body
    await failed(id)
    const answers = await way.arrive()
    expect(answers.length).toBeGreaterThan(0)
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['declined']))
    expect(await outcomeOf(id)).toMatchObject({ status: 'FAILED', outcome: 'given_up' })
  })

  it('carried out just before it would be given up is a success', async () => {
    const body = { total: 5, payment_method_id: await service.card(merchant) }
    const { id } = (await service.charge(merchant, body, ASYNC)).body
    await soon(() => expect(way.sent).toContain(id))
    await way.arrive()
    await soon(async () => {
      expect(await outcomeOf(id)).toMatchObject({ status: 'SUCCESS', outcome: 'approved' })
    })
  })

  it('leaves ledgers that agree', async () => {
    expect(await audit(service.databaseUrl, [])).toEqual([])
  })
})

/** What held a worker up between the take and the order. */
interface Held {
  readonly frozenMs: number
  readonly suspendedMs: number
  readonly stalledMs: number
}

describe('a payment that a worker has taken', () => {
  const clock = movableClock()
  const way = road()
  let service: TestService
  let merchant: Merchant
  let gives: (() => Promise<OrderState>) | undefined
  let said: Answer | undefined
  /** How long the gateway takes to answer a look-up. */
  let lookUpMs = 0

  beforeAll(async () => {
    service = await openTestService({
      clock,
      queues: [],
      timings: { gatewayTimeoutMs: 1_000, leaseMs: 3_000, paymentLeaseMs: 3_000 },
      withGateway: (sandbox) => ({
        ...way.gateway(sandbox),
        ordersArriveWithinMs: 10_000,
        lookUp: async (...asked) => {
          const state = await way.gateway(sandbox).lookUp(...asked)
          clock.move(lookUpMs)
          return state
        },
        giveUp: (...asked) => gives?.() ?? sandbox.giveUp(...asked),
        carryOut: async (...ordered) => said ?? way.gateway(sandbox).carryOut(...ordered),
      }),
    })
    merchant = await service.merchant()
  })
  beforeEach(() => {
    way.isHeldUp = false
    gives = undefined
    said = undefined
    lookUpMs = 0
  })
  afterAll(() => service.close())

  async function pending() {
    const { transaction: id } = await makePending(service, merchant)
    return { accountId: merchant.accountId, id }
  }

  async function rowOf(id: string) {
    const sql = `SELECT status, message, gateway_code, owed, auth_id, attempt,
      parked_at IS NOT NULL AS is_parked FROM transaction WHERE id = $1`
    return (await service.world.db.query(sql, [id]))[0] ?? {}
  }

  /** Leaves the row as a worker left it that took it to order it, long ago. */
  async function takenBefore(id: string, owed: string, more = ''): Promise<void> {
    await service.world.db.query(
      `UPDATE transaction SET owed = $2, attempt = attempt + 1, due_at = created_at ${more}
       WHERE id = $1`,
      [id, owed],
    )
  }

  it.each([
    ['was frozen until late in its lease', { frozenMs: 2_500 }],
    ['was suspended with its machine for a day', { suspendedMs: DAY }],
    ['waited for its database until late in its lease', { stalledMs: 2_500 }],
  ])('is not ordered by a worker that %s', async (_, times) => {
    const { frozenMs = 0, suspendedMs = 0, stalledMs = 0 } = times as Partial<Held>
    const key = await pending()
    const { query, ...db } = service.world.db
    // Before the first order of a schedule's payment the worker reads other payments.
    const scheduled = { scheduleId: key.id, invoiceTry: 1 }
    const frozen = {
      ...service.world,
      clock: { ...service.world.clock, skewMs: () => suspendedMs },
      db: {
        ...db,
        query: async (...asked: Parameters<typeof query>) => {
          const rows = await query(...asked)
          clock.move(stalledMs)
          return rows
        },
        ask: async (...asked: Parameters<typeof db.ask>) => {
          const answer = await service.world.db.ask(...asked)
          if (asked[0].name !== 'take-payment') return answer
          clock.move(frozenMs)
          const taken = answer as Taken
          return { ...taken, ...scheduled, account: { ...taken.account, mode: 'live' } }
        },
      },
    } as typeof service.world
    const verdict = await makeCharge(frozen, key, NEVER)
    expect(way.sent).not.toContain(key.id)
    expect(verdict).toMatchObject({ kind: 'snooze', work: 'charge' })
    expect(await rowOf(key.id)).toMatchObject({ status: 'PENDING', owed: 'charge', attempt: 1 })
    // As a control, the same worker orders it when it has all of its lease left.
    expect(await makeCharge(service.world, key, NEVER)).toMatchObject({ kind: 'done' })
    expect(way.sent).toContain(key.id)
  })

  it('is asked about again while its order may still arrive, and ordered again later', async () => {
    const key = await pending()
    way.isHeldUp = true
    const silent = await makeCharge(service.world, key, NEVER)
    expect(silent).toMatchObject({ kind: 'snooze', work: 'doubt' })
    clock.move(5_000)
    // The answer comes late, and is about the moment of the question.
    lookUpMs = 6_000
    expect(await resolveDoubt(service.world, key, NEVER)).toMatchObject({ work: 'doubt' })
    lookUpMs = 0
    clock.move(10_000)
    expect(await resolveDoubt(service.world, key, NEVER)).toMatchObject({ work: 'charge' })
    await way.arrive()
  })

  it('and never ordered is FAILED at its deadline without a question', async () => {
    const key = await pending()
    gives = () => Promise.reject(new Error('it must not be asked'))
    await service.world.db.query('UPDATE transaction SET deadline_at = created_at WHERE id = $1', [
      key.id,
    ])
    expect(await makeCharge(service.world, key, NEVER)).toMatchObject({ kind: 'done' })
    expect(await rowOf(key.id)).toMatchObject({ status: 'FAILED' })
  })

  it.each([
    ['charge', makeCharge],
    ['doubt', resolveDoubt],
  ] as const)(
    'and owes a %s is parked where the gateway cannot give it up',
    async (owed, action) => {
      const key = await pending()
      await takenBefore(key.id, owed, ', deadline_at = created_at')
      gives = () => Promise.reject(new Error('the connection was reset'))
      expect(await action(service.world, key, NEVER)).toMatchObject({ kind: 'cancel' })
      expect(await rowOf(key.id)).toMatchObject({ status: 'PENDING', is_parked: true })
    },
  )

  it('is not parked while the gateway names a time by which it knows', async () => {
    const key = await pending()
    await takenBefore(key.id, 'doubt', ', deadline_at = created_at')
    const decidedBy = new Date(clock.now().getTime() + 60_000)
    gives = async () => ({ kind: 'undecided', gatewayId: null, decidedBy })
    expect(await resolveDoubt(service.world, key, NEVER)).toMatchObject({ work: 'doubt' })
    expect(await rowOf(key.id)).toMatchObject({ status: 'PENDING', is_parked: false })
    clock.move(61_000)
    gives = async () => ({ kind: 'never_made' })
    expect(await resolveDoubt(service.world, key, NEVER)).toMatchObject({ kind: 'done' })
    expect(await rowOf(key.id)).toMatchObject({ status: 'FAILED' })
  })

  it("keeps the gateway's id of it while it is undecided, and does not show it", async () => {
    const { transaction: id } = await makePending(service, merchant, { total: 763.64 })
    const key = { accountId: merchant.accountId, id }
    expect(await makeCharge(service.world, key, NEVER)).toMatchObject({ work: 'doubt' })
    expect(await rowOf(id)).toMatchObject({ auth_id: expect.stringMatching(/^sbx_/) })
    const shown = await call(service.app, 'GET', `/transaction/${id}`, merchant.headers)
    expect(shown.body).toMatchObject({ status: 'PENDING', auth_id: null })
  })

  it("is recorded whatever characters are in the gateway's answer", async () => {
    const key = await pending()
    const decline = { code: 'card_declined', retry: 'later', gatewayCode: 'do\0not\ud800' } as const
    const message = `No\0 \ud800 ${'!'.repeat(2_000)}`
    said = { kind: 'declined', gatewayId: 'gw\0_1', message, decline }
    expect(await makeCharge(service.world, key, NEVER)).toMatchObject({ kind: 'done' })
    const row = await rowOf(key.id)
    expect(row).toMatchObject({ status: 'FAILED', auth_id: 'gw _1', gateway_code: 'do not\ufffd' })
    expect(row.message).toMatch(/^No {2}\ufffd !{490,}$/)
  })

  describe('and that an operator reports as never made', () => {
    const ADA = { name: 'Ada', address: '127.0.0.1' }
    const decide = (key: RowKey) =>
      decidePayment(
        service.world,
        ADA,
        key,
        { made: false, evenIfUnsaid: false },
        'the gateway’s people say so',
      )
    const park = (id: string) =>
      service.world.db.query(
        'UPDATE transaction SET due_at = NULL, parked_at = created_at WHERE id = $1',
        [id],
      )

    it('takes nothing when its order arrives after all', async () => {
      const key = await pending()
      way.isHeldUp = true
      await makeCharge(service.world, key, NEVER)
      await park(key.id)
      await decide(key)
      expect(await way.arrive()).toMatchObject([{ kind: 'declined' }])
      expect(await rowOf(key.id)).toMatchObject({ status: 'FAILED' })
    })

    it('is a success if the gateway has it', async () => {
      const key = await pending()
      way.isHeldUp = true
      await makeCharge(service.world, key, NEVER)
      await way.arrive()
      await park(key.id)
      await expect(decide(key)).rejects.toThrow(/approved/)
      expect(await rowOf(key.id)).toMatchObject({ status: 'SUCCESS' })
    })
  })
})
