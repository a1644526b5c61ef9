// A worker's finding counts only while nothing that it depends on has changed: its take of the
// payment, the parent, the invoice that it pays, the clock of the account.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { holdReadyClock } from '../../src/accounts/hold-clock.ts'
import { DAY, HOUR, MINUTE } from '../../src/core/time-units.ts'
import type { PendingWork } from '../../src/core/transaction.ts'
import { withClient } from '../../src/db/client.ts'
import type { RowKey } from '../../src/db/columns.ts'
import { acceptCharge } from '../../src/payments/accept/accept-charge.ts'
import { acceptFollowUp } from '../../src/payments/accept/accept-follow-up.ts'
import { startAndAnswerPending } from '../../src/payments/answer/await-outcome.ts'
import { applyFinding } from '../../src/payments/make/apply-finding.ts'
import type { GatewayFinding } from '../../src/payments/make/ask-gateway.ts'
import { makeCharge, resolveDoubt } from '../../src/payments/make/make-payment.ts'
import { isVerdict, type Taken, take } from '../../src/payments/take/take-payment.ts'
import { contextOfCaller } from '../../src/payments/transaction/account-context.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { payableInvoice, payInvoice } from '../support/invoices.ts'
import { PATIENCE } from '../support/patience.ts'
import { makePending } from '../support/payments.ts'
import { setClock } from '../support/sandbox-clock.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const NEVER = new AbortController().signal
const TEAM = {
  id: '',
  name: '',
  status: 'active',
  enabled: true,
  smsEnabled: false,
  splitFundingEnabled: false,
  settlementTokenizationEnabled: false,
} as const
const CHARGE = {
  total: 1_000n,
  currency: 'USD',
  isPreAuth: false,
  channel: undefined,
  invoiceId: undefined,
  paymentLinkId: undefined,
  funding: undefined,
  meta: {},
}
const VOID = { operation: 'void' } as const
const ASYNC = { prefer: 'respond-async' }
const APPROVED: GatewayFinding = { kind: 'approved', gatewayId: 'gw_1', message: 'Approved' }
const DECLINED: GatewayFinding = { kind: 'declined', gatewayId: 'gw_1', message: 'Declined' }
const SILENT: GatewayFinding = { kind: 'silent' }

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    timings: { askAgain: { firstMs: 60_000, mostMs: 60_000 } },
  })
  merchant = await service.merchant()
})
afterAll(() => service.close())

const keyOf = (id: string): RowKey => ({ accountId: merchant.accountId, id })
const query = (text: string, values: readonly unknown[] = []) =>
  service.world.db.query(text, values)

async function rowOf(id: string) {
  const sql = `SELECT status, owed, due_at, parked_at, attempt, auth_id
    FROM transaction WHERE id = $1`
  return (await query(sql, [id]))[0] ?? {}
}

async function eventsOf(id: string): Promise<number> {
  return (await query('SELECT FROM event WHERE resource_id = $1', [id])).length
}

async function taken(id: string, owed: PendingWork): Promise<Taken> {
  const answer = await take(service.world, keyOf(id), owed)
  if (isVerdict(answer)) throw new Error(`it could not be taken: ${answer.kind}`)
  return answer
}

/** Waits until another connection waits for a lock. */
async function anotherWaits(): Promise<void> {
  const sql = 'SELECT FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0'
  const isAny = () => withClient(service.databaseUrl, (other) => other.query(sql))
  await vi.waitUntil(async () => (await isAny()).rowCount !== 0, PATIENCE)
}

/** Two workers take the same payment: the first one's lease has ended meanwhile. */
async function takenTwice(id: string, owed: PendingWork): Promise<readonly [Taken, Taken]> {
  const first = await taken(id, owed)
  await query('UPDATE transaction SET due_at = created_at WHERE id = $1', [id])
  return [first, await taken(id, 'doubt')]
}

/** Stands for a request that was authenticated in real time. */
const callerOf = (own: Merchant) =>
  ({
    ...own,
    mode: 'sandbox',
    liveGateway: null,
    clockAt: null,
    isClockAdvancing: false,
    team: TEAM,
  }) as const

const settle = (of: Taken, found: GatewayFinding) =>
  applyFinding(service.world, of, found, service.world.clock.now())

async function chargeUnderWay(): Promise<string> {
  return (await makePending(service, merchant)).transaction
}

async function refundUnderWay(asked: object = {}): Promise<string> {
  const parent = await chargeUnderWay()
  await makeCharge(service.world, keyOf(parent), NEVER)
  await takeIntoBatch(service, [parent])
  const headers = { ...merchant.headers, ...ASYNC }
  const path = `/transaction/${parent}/refund`
  expect((await call(service.app, 'POST', path, headers, asked)).status).toBe(202)
  const [child] = await query('SELECT id FROM transaction WHERE reference_id = $1', [parent])
  return child?.id
}

describe.each([
  ['charge', chargeUnderWay, 'charge'],
  ['refund', () => refundUnderWay(), 'refund'],
] as const)('of two workers that have the same %s', (_, begin, owed) => {
  it('the second worker gets it only once the lease of the first is over', async () => {
    const id = await begin()
    const first = await taken(id, owed)
    for (const early of [owed, 'doubt'] as const) {
      expect(await take(service.world, keyOf(id), early)).toEqual({ kind: 'done' })
    }
    expect(await rowOf(id)).toMatchObject({ owed: 'doubt', attempt: 1 })
    await settle(first, APPROVED)
  })

  it('only the later one records an outcome', async () => {
    const id = await begin()
    const [first, second] = await takenTwice(id, owed)
    const before = [await rowOf(id), await eventsOf(id)]
    expect(await settle(first, DECLINED)).toEqual({ kind: 'done' })
    expect([await rowOf(id), await eventsOf(id)]).toEqual(before)
    await settle(second, APPROVED)
    expect(await rowOf(id)).toMatchObject({ status: 'SUCCESS', auth_id: 'gw_1', attempt: 2 })
  })

  it.each<GatewayFinding>([
    SILENT,
    { kind: 'turned_away', message: 'Later' },
    { kind: 'never_made' },
  ])('only the later one gives it back: $kind', async (found) => {
    const id = await begin()
    const [first, second] = await takenTwice(id, owed)
    const before = await rowOf(id)
    await settle(first, found)
    expect(await rowOf(id)).toEqual(before)
    await settle(second, APPROVED)
  })
})

it('a payment is asked about again no later than at its deadline', async () => {
  const id = await chargeUnderWay()
  const payment = await taken(id, 'charge')
  const deadline = new Date(Date.now() + 10_000)
  await query('UPDATE transaction SET deadline_at = $2 WHERE id = $1', [id, deadline])
  // As a control, without its deadline it would not be asked about within a minute.
  await settle(payment, SILENT)
  const { due_at: later } = await rowOf(id)
  expect(later.getTime()).toBeGreaterThan(deadline.getTime())
  await settle({ ...payment, deadlineAt: deadline }, SILENT)
  expect((await rowOf(id)).due_at).toEqual(deadline)
  await settle(payment, DECLINED)
})

it.each(['before', 'after'])(
  'an outcome that cannot be recorded is asked for again after a pause, %s the deadline',
  async (when) => {
    const own = await service.merchant()
    const { transaction: id } = await makePending(service, own)
    await query(`
      CREATE OR REPLACE FUNCTION open_none() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RETURN NULL; END $$`)
    await query(`
      CREATE OR REPLACE TRIGGER open_none BEFORE INSERT ON batch FOR EACH ROW
      WHEN (NEW.account_id = '${own.accountId}') EXECUTE FUNCTION open_none()`)
    const payment = await take(service.world, { accountId: own.accountId, id }, 'charge')
    if (isVerdict(payment)) throw new Error('it could not be taken')
    const late = { ...payment, deadlineAt: new Date(Date.now() - MINUTE) }
    const settling = settle(when === 'after' ? late : payment, APPROVED)
    await expect(settling).rejects.toThrow('could not be recorded')
    const { due_at, ...row } = await rowOf(id)
    expect(row).toMatchObject({ status: 'PENDING', owed: 'doubt', auth_id: 'gw_1' })
    expect(due_at.getTime()).toBeGreaterThan(Date.now() + MINUTE / 2)
    await query('DROP TRIGGER open_none ON batch')
  },
)

it('a payment that takes days is asked about each hour, not only after the first answer', async () => {
  const id = await chargeUnderWay()
  const decidedBy = new Date(Date.now() + 10 * DAY)
  const undecided: GatewayFinding = { kind: 'undecided', gatewayId: 'gw_1', decidedBy }
  await settle(await taken(id, 'charge'), undecided)
  for (let looks = 0; looks < 3; looks += 1) {
    const dueInMs = (await rowOf(id)).due_at.getTime() - Date.now()
    expect(dueInMs).toBeGreaterThan(HOUR - MINUTE)
    await query('UPDATE transaction SET due_at = created_at WHERE id = $1', [id])
    await settle(await taken(id, 'doubt'), undecided)
  }
  await query('UPDATE transaction SET due_at = created_at WHERE id = $1', [id])
  await settle(await taken(id, 'doubt'), DECLINED)
})

it('a payer whose time was over before the first look is not left to a person', async () => {
  const id = await chargeUnderWay()
  const payerAnswersBy = new Date(Date.now() - MINUTE)
  const waiting: GatewayFinding = { kind: 'undecided', gatewayId: 'gw_1', payerAnswersBy }
  await settle(await taken(id, 'charge'), waiting)
  const { due_at, parked_at } = await rowOf(id)
  expect(due_at).toEqual(payerAnswersBy)
  expect(parked_at).toBeNull()
  // Its deadline is in the past, so the worker asks the gateway to give it up.
  await resolveDoubt(service.world, keyOf(id), NEVER)
  expect(await rowOf(id)).toMatchObject({ status: 'FAILED', owed: null })
})

it.each([
  ['reserves', 'reserved = reserved + 200, children = children + 1'],
  ['takes', 'refunded = refunded + 200, version = version + 1'],
])(
  'another child %s part of the parent in that moment, and the change is kept',
  async (_, change) => {
    const id = await refundUnderWay({ total: 3 })
    const [child] = await query('SELECT reference_id AS parent FROM transaction WHERE id = $1', [
      id,
    ])
    const refund = await taken(id, 'refund')
    let settling: ReturnType<typeof settle> | undefined
    await service.world.db.commit('another writer', async (held) => {
      await held(`UPDATE transaction SET ${change} WHERE id = $1`, [child?.parent])
      settling = settle(refund, APPROVED)
      await anotherWaits()
    })
    await settling
    const sums = 'SELECT reserved + refunded AS sum, reserved FROM transaction WHERE id = $1'
    const reserved = change.startsWith('reserved') ? '200' : '0'
    expect(await query(sums, [child?.parent])).toEqual([{ sum: '500', reserved }])
    expect(await rowOf(id)).toMatchObject({ status: 'SUCCESS' })
  },
)

describe('an invoice that changes while its payment is in progress', () => {
  it.each([
    ['approved', APPROVED, 'PAID'],
    ['declined', DECLINED, 'ATTEMPTED'],
  ] as const)('keeps the change when the payment is %s', async (_, found, status) => {
    const card = await service.card(merchant)
    const id = await payableInvoice({ service, merchant, card })
    const { body } = await payInvoice({ service, merchant }, id, {}, ASYNC)
    const payment = await taken(body.id, 'charge')
    await query(
      `UPDATE invoice SET meta = '{"memo": "changed"}', version = version + 1 WHERE id = $1`,
      [id],
    )
    await settle(payment, found)
    const [event] = await query(
      `SELECT e.sequence = v.version AS is_last, e.snapshot FROM invoice v
       JOIN event e ON e.account_id = v.account_id AND e.resource_id = v.id::text
       WHERE v.id = $1 ORDER BY e.sequence DESC LIMIT 1`,
      [id],
    )
    expect(event).toMatchObject({
      is_last: true,
      snapshot: { status, meta: { memo: 'changed' } },
    })
    const invoice = await call(service.app, 'GET', `/invoice/${id}`, merchant.headers)
    expect(invoice.body).toMatchObject(event?.snapshot)
  })
})

describe('the clock of an account', () => {
  it('is not set while a transaction is being written by it', async () => {
    const own = await service.merchant()
    const context = { ...own, clockAt: null }
    let setting: ReturnType<typeof setClock> | undefined
    let isSet = false
    await service.world.db.commit('business', async (held) => {
      expect(await holdReadyClock(held, context)).toMatchObject({ clockAt: null })
      setting = setClock({ service, merchant: own }, '2027-03-01T12:00:00.000Z')
      void setting.then(() => {
        isSet = true
      })
      await anotherWaits()
      expect(isSet).toBe(false)
    })
    expect((await setting)?.status).toBe(200)
  })

  it('dates the outcome if it was set meanwhile', async () => {
    const own = await service.merchant()
    const { transaction: id } = await makePending(service, own)
    const payment = await take(service.world, { accountId: own.accountId, id }, 'charge')
    if (isVerdict(payment)) throw new Error('it could not be taken')
    const at = new Date('2027-03-01T12:00:00.000Z')
    await query('UPDATE account SET clock_at = $2 WHERE id = $1', [own.accountId, at])
    await settle(payment, APPROVED)
    const [row] = await query('SELECT updated_at, business_date FROM transaction WHERE id = $1', [
      id,
    ])
    expect(row).toEqual({ updated_at: at, business_date: new Date('2027-03-01') })
  })

  it.each(['charge', 'void'])(
    'dates the event of a PENDING %s by what it is then',
    async (type) => {
      const own = await service.merchant()
      const { card, transaction: parent } = await makePending(service, own)
      await makeCharge(service.world, { accountId: own.accountId, id: parent }, NEVER)
      const caller = callerOf(own)
      const context = { ...own, clockAt: null, requestId: 'test', idempotencyKey: undefined }
      const { id } =
        type === 'charge'
          ? await acceptCharge(service.world, caller, context, { ...CHARGE, paymentMethodId: card })
          : await acceptFollowUp(service.world, caller, context, parent, VOID)
      const at = new Date('2099-03-01T12:00:00.000Z')
      await query('UPDATE account SET clock_at = $2 WHERE id = $1', [own.accountId, at])
      const waiting = {
        accountId: own.accountId,
        id,
        accountContext: contextOfCaller(service.world, caller),
        work: undefined,
        requestId: 'test',
      }
      expect(await startAndAnswerPending(service.world, waiting)).toMatchObject({
        status: 'PENDING',
      })
      const dates = `SELECT DISTINCT created_at FROM event
      WHERE account_id = $1 AND request_id = 'test'`
      expect(await query(dates, [own.accountId])).toEqual([{ created_at: at }])
    },
  )

  it('accepts nothing new while it is moving', async () => {
    const own = await service.merchant()
    const card = await service.card(own)
    await query(
      `UPDATE account SET clock_at = $2, clock_from = $2, clock_target = $2, clock_due_at = $2
       WHERE id = $1`,
      [own.accountId, new Date('2027-03-01T12:00:00.000Z')],
    )
    // Stands for a request that passed its checks just before the clock began to move.
    const caller = callerOf(own)
    const context = { ...own, clockAt: null, requestId: 'test', idempotencyKey: undefined }
    const late = acceptCharge(service.world, caller, context, { ...CHARGE, paymentMethodId: card })
    await expect(late).rejects.toMatchObject({ code: 'clock_advancing' })
    expect(await query('SELECT FROM transaction WHERE account_id = $1', [own.accountId])).toEqual(
      [],
    )
  })
})
