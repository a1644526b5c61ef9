// Payments of a live account, from the API to Stripe's ledger.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { forgetDeletedMethods } from '../../src/customers/forget-deleted-methods.ts'
import { Gateways } from '../../src/outside/gateway/gateways.ts'
import { nudgeOverduePayments } from '../../src/upkeep/sweep.ts'
import { onceFor } from '../stripe/stand-in/faults.ts'
import { expectRefusal } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'
import { soon } from '../support/soon.ts'
import { call } from '../support/test-service.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const MIGRATIONS = join(import.meta.dirname, '../../prisma/migrations')
const FORGET = '20261202090000_forget_methods_of_deleted_customers/migration.sql'

describe('a payment of a live account', () => {
  let live: LiveService

  beforeAll(async () => {
    live = await openLiveService()
  })
  afterAll(() => live[Symbol.asyncDispose]())

  const charge = async (payment_method_id: string, more: object = {}) =>
    live.post('/charge', { total: 12.34, payment_method_id, ...more })

  it("is made once, and is a payment in Stripe's ledger", async () => {
    const { status, body } = await charge(await live.method('pm_card_visa'))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'SUCCESS',
      gateway_name: 'stripe',
      auth_id: expect.stringMatching(/^pi_/),
      decline_code: null,
      retry: null,
    })
    const [move, ...others] = live.stripe.ledger().filter(({ id }) => id === body.auth_id)
    expect(move).toMatchObject({ amount: 12_34, state: 'succeeded' })
    expect(move?.metadata).toMatchObject({ lamplighter_id: body.id })
    expect(others).toMatchObject([{ kind: 'capture' }])
  })

  it('shows its payment method as Stripe describes it, and no token', async () => {
    const id = await live.method('pm_card_mastercard')
    const { body, text } = await live.get(`/payment-method/${id}`)
    expect(body).toMatchObject({
      card_type: 'mastercard',
      card_last_four: '4444',
      card_exp: '1234',
    })
    expect(text).not.toMatch(/pm_|cus_/)
  })

  it('is declined with a code, and with advice about another try', async () => {
    const id = await live.method('pm_card_chargeCustomerFail')
    const { status, body } = await charge(id)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      status: 'FAILED',
      message: 'Your card was declined.',
      decline_code: 'card_declined',
      retry: 'later',
    })
    const [intent] = live.stripe.ledger().filter((one) => one.id === body.auth_id)
    expect(intent).toMatchObject({ state: 'canceled', isPaid: false })
  })

  it.each([
    [0.49, 'The amount is smaller than the gateway takes'],
    [1_000_000, 'The amount is larger than the gateway takes'],
  ])('of %d is declined, and says that the amount is why', async (total, message) => {
    const { status, body } = await charge(await live.method('pm_card_visa'), { total })
    expect(status).toBe(400)
    expect(body).toMatchObject({ status: 'FAILED', message, retry: 'never' })
  })

  it('is refused if its funding would have to be divided', async () => {
    const { service, merchant } = live
    await setTeam(service.world, merchant.teamId, ['split_funding_enabled=true'])
    const moves = live.stripe.ledger().length
    const funding = [{ account_id: 'shop', amount: 12.34 }]
    const refused = await charge(await live.method('pm_card_visa'), { funding })
    expectRefusal(refused, 400, 'invalid_request', ['funding'])
    expect(refused.text).toContain('no live gateway divides a payment')
    expect(live.stripe.ledger()).toHaveLength(moves)
  })

  it('fails if the bank wants to ask the payer, who is not present', async () => {
    const { body } = await charge(await live.method('pm_card_authenticationRequired'))
    expect(body).toMatchObject({
      status: 'FAILED',
      decline_code: 'authentication_required',
      retry: 'never',
    })
  })

  it('holds, captures a part once, and releases the rest', async () => {
    const hold = await charge(await live.method('pm_card_visa'), { pre_auth: true })
    expect(hold.body).toMatchObject({ status: 'SUCCESS', type: 'pre_auth' })
    const capture = await live.post(`/transaction/${hold.body.id}/capture`, { total: 5 })
    expect(capture.body).toMatchObject({ status: 'SUCCESS' })
    const after = (await live.get(`/transaction/${hold.body.id}`)).body
    expect(after.hold_ended_at).toBe(after.updated_at)
    const second = await live.post(`/transaction/${hold.body.id}/capture`, { total: 1 })
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({ error: 'wrong_state' })
    expect(second.text).toContain('the hold of the transaction has ended')
    const moves = live.stripe.ledger().filter(({ id }) => id === hold.body.auth_id)
    expect(moves.map(({ amount, kind }) => ({ amount, kind }))).toEqual([
      { kind: 'payment', amount: 12_34 },
      { kind: 'capture', amount: 5_00 },
    ])
  })

  it('is voided by releasing a hold', async () => {
    const hold = await charge(await live.method('pm_card_visa'), { pre_auth: true })
    const gone = await live.post(`/transaction/${hold.body.id}/void`)
    expect(gone.body).toMatchObject({ is_voided: true })
    const moves = live.stripe.ledger().filter(({ id }) => id === hold.body.auth_id)
    expect(moves.map(({ kind }) => kind)).toEqual(['payment', 'release'])
  })

  it('is voided, after its capture, by a refund of the whole amount', async () => {
    const paid = await charge(await live.method('pm_card_visa'))
    const gone = await live.post(`/transaction/${paid.body.id}/void`)
    expect(gone.body).toMatchObject({ is_voided: true })
    const moves = live.stripe
      .ledger()
      .filter(({ paymentIntent }) => paymentIntent === paid.body.auth_id)
    expect(moves.at(-1)).toMatchObject({ kind: 'refund', amount: 12_34, state: 'succeeded' })
  })

  it('from a bank account stays PENDING for days, is asked about, and ends', async () => {
    const { id, status } = (await charge(await live.method('pm_usBankAccount_success'))).body
    expect(status).toBe('PENDING')
    const { world } = live.service
    await soon(async () => {
      const row = await world.db.prisma.transaction.findFirstOrThrow({ where: { id } })
      expect(row.parkedAt).toBe(null)
      expect(row.deadlineAt?.getTime()).toBeGreaterThan(Date.now() + 9 * DAY)
    })
    await live.stripe.advance(5 * DAY)
    await world.db.prisma.transaction.updateMany({ where: { id }, data: { dueAt: new Date() } })
    await nudgeOverduePayments(world)
    expect(await live.outcome(id)).toMatchObject({ status: 'SUCCESS', method: 'bank' })
  })

  it("from a bank account is answered at once, and not after the caller's wait", async () => {
    await using patient = await openLiveService({ settings: { CHARGE_WAIT_MS: '4m' } })
    const payment_method_id = await patient.method('pm_usBankAccount_success')
    const { body } = await patient.post('/charge', { total: 9, payment_method_id })
    expect(body).toMatchObject({ status: 'PENDING', method: 'bank' })
  })

  it('holds nothing of a bank account, which is refused before anything is sent', async () => {
    const moves = live.stripe.ledger().length
    const bank = await live.method('pm_usBankAccount_success')
    const refused = await charge(bank, { pre_auth: true, idempotency_id: 'a hold' })
    expectRefusal(refused, 400, 'invalid_request', ['pre_auth'])
    expect(refused.text).toContain(
      'cannot be set for a bank account: live gateways hold only cards',
    )
    expect(live.stripe.ledger()).toHaveLength(moves)
    const corrected = await charge(bank, { idempotency_id: 'a hold' })
    expect(corrected.body).toMatchObject({ status: 'PENDING', type: 'charge' })
  })

  it('is made once though the connection to Stripe is cut after the payment', async () => {
    const id = await live.method('pm_card_visa')
    const isCreation = ({ path, method }: { path: string; method: string }) =>
      method === 'POST' && path === '/v1/payment_intents'
    live.stripe.fault(onceFor(isCreation, { kind: 'cut', isExecuted: true }))
    const { body } = await charge(id)
    expect(await live.outcome(body.id)).toMatchObject({ status: 'SUCCESS' })
    const paid = live.stripe.ledger().filter(({ metadata }) => metadata.lamplighter_id === body.id)
    expect(paid.filter(({ kind }) => kind === 'payment')).toHaveLength(1)
  })

  it('waits while Stripe refuses our key, and does not fail because of it', async () => {
    const id = await live.method('pm_card_visa')
    live.stripe.fault(() => ({ kind: 'key refused', status: 401 }))
    const { body } = await charge(id, { total: 3 })
    expect(body).toMatchObject({ status: 'PENDING' })
    live.stripe.fault()
    expect(await live.outcome(body.id)).toMatchObject({ status: 'SUCCESS' })
  }, 30_000)
})

describe('a payment method of a live account', () => {
  let live: LiveService

  beforeAll(async () => {
    live = await openLiveService({}, { accounts: ['acct_own'] })
  })
  afterAll(() => live[Symbol.asyncDispose]())

  it.each([
    [{ card_number: '4242424242424242' }, 'card_data_not_accepted'],
    [{ bank_account: '000123456789' }, 'card_data_not_accepted'],
    [{}, 'invalid_request'],
    [{ payment_method_token: 'tok_visa' }, 'invalid_request'],
    [{ payment_method_token: 'pm_nobody_knows' }, 'invalid_request'],
    [{ payment_method_token: 'pm_usBankAccount_success' }, 'invalid_request'],
    [{ payment_method_token: 'pm_card_visa_chargeDeclined' }, 'invalid_request'],
  ])('is refused with %j', async (more, code) => {
    const body = { method: 'card', person_name: 'Ada Lovelace', ...more }
    expectRefusal(await live.post('/payment-method', body), 400, code)
  })

  it.each([
    { kind: 'key refused', status: 401 },
    { kind: 'rate limit' },
    { kind: 'cut', isExecuted: true },
    { kind: 'server error', when: 'before' },
  ] as const)('is not made while Stripe is away: %j', async (fault) => {
    live.stripe.fault(() => fault)
    const body = { method: 'card', person_name: 'Ada', payment_method_token: 'pm_card_visa' }
    expectRefusal(await live.post('/payment-method', body), 503, 'unavailable')
    live.stripe.fault()
    expect((await live.post('/payment-method', body)).status).toBe(200)
  })

  it('belongs to one customer at Stripe with the others of its customer', async () => {
    const id = await live.method('pm_card_visa')
    const { body } = await live.get(`/payment-method/${id}`)
    await live.method('pm_card_mastercard', { customer_id: body.customer_id })
    const tokens = await tokensOf(live, body.customer_id)
    expect(tokens).toHaveLength(2)
    expect(new Set(tokens.map((token) => token.split(':')[1])).size).toBe(1)
  })

  it('cannot be used by another team', async () => {
    const [token = ''] = await tokensOf(live, undefined)
    const theirs = await live.service.merchant('live')
    const body = {
      method: 'card',
      person_name: 'Mallory',
      payment_method_token: token.split(':')[2],
    }
    const answer = await live.service.app.inject({
      method: 'POST',
      url: '/payment-method',
      headers: theirs.headers,
      payload: body,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors).toEqual({ payment_method_token: ['is unknown to the gateway'] })
  })

  it("is made in the merchant's own Stripe account, and charged there", async () => {
    const { world } = live.service
    const own = { where: { id: live.merchant.accountId }, data: { gatewayAccount: 'acct_own' } }
    await world.db.prisma.account.update(own)
    const id = await live.method('pm_card_visa')
    await world.db.prisma.account.update({ ...own, data: { gatewayAccount: null } })
    const { body } = await live.post('/charge', { total: 7, payment_method_id: id })
    expect(body).toMatchObject({ status: 'SUCCESS' })
    expect(live.stripe.ledger('acct_own')).toMatchObject([{ amount: 7_00 }, { kind: 'capture' }])
  })

  it.each([
    ['is deleted', 'payment-method'],
    ['is deleted with its customer', 'customer'],
  ] as const)('is detached once it %s and no payment can need it any more', async (_, what) => {
    const { world, app } = live.service
    const owner = await live.post('/customer', { firstname: 'Ada' })
    const method = await live.method('pm_card_visa', { customer_id: owner.body.id })
    const [, , token = ''] = (await tokensOf(live, owner.body.id)).at(-1)?.split(':') ?? []
    const id = what === 'customer' ? owner.body.id : method
    const { headers } = live.merchant
    await app.inject({ method: 'DELETE', url: `/${what}/${id}`, headers })
    const where = { id: method, forgetDueAt: { not: null } }
    expect(await world.db.prisma.paymentMethod.count({ where })).toBe(1)
    await world.db.prisma.paymentMethod.updateMany({ where, data: { forgetDueAt: new Date(0) } })
    await world.queues.ensureRound('retention')
    await soon(async () => expect(await world.db.prisma.paymentMethod.count({ where })).toBe(0))
    const detached = live.stripe.requests.filter(({ path }) => path.endsWith(`${token}/detach`))
    expect(detached).toMatchObject([{ status: 200 }])
  })

  it('that was added twice is charged until the last of its rows is deleted', async () => {
    const first = await live.method('pm_card_visa')
    const [, , card = ''] = (await tokensOf(live, undefined)).at(-1)?.split(':') ?? []
    const second = await live.method(card)
    const third = await live.method(card)
    expect(new Set((await tokensOf(live, undefined)).slice(-3)).size).toBe(1)
    const isDetached = () =>
      live.stripe.requests.some(({ path }) => path.endsWith(`${card}/detach`))
    await remove(first)
    expect(await forgetDue()).toBe(0)
    const { body } = await live.post('/charge', { total: 5, payment_method_id: second })
    expect(body).toMatchObject({ status: 'SUCCESS' })
    await remove(third)
    await remove(second)
    expect(isDetached()).toBe(false)
    expect(await forgetDue()).toBeGreaterThan(0)
    expect(isDetached()).toBe(true)
    expect(await forgetDue()).toBe(0)
  })

  it('that is being detached cannot be added again', async () => {
    const { world } = live.service
    const id = await live.method('pm_card_visa')
    const [, , card = ''] = (await tokensOf(live, undefined)).at(-1)?.split(':') ?? []
    await remove(id)
    await remove(await live.method(card))
    const longAgo = new Date(world.clock.now().getTime() - DAY)
    const where = { forgetDueAt: { not: null } }
    await world.db.prisma.paymentMethod.updateMany({ where, data: { deletedAt: longAgo } })
    const stripe = world.gateways.named('stripe')
    const refusals: unknown[] = []
    const forgetMethod = async (token: string) => {
      refusals.push(await live.method(card).catch((error: Error) => error.message))
      await stripe.forgetMethod?.(token)
    }
    const gateways = new Gateways([{ ...stripe, forgetMethod }])
    expect(await forgetDue({ ...world, gateways })).toBeGreaterThan(0)
    expect(refusals[0]).toContain('was deleted, and cannot be used any more')
  })

  const remove = (id: string) =>
    call(live.service.app, 'DELETE', `/payment-method/${id}`, live.merchant.headers)

  /** Long after the deletions. */
  const forgetDue = (world = live.service.world) =>
    forgetDeletedMethods(world, new Date(world.clock.now().getTime() + DAY))

  it('is detached too if an earlier version deleted it with its customer', async () => {
    const { world, app } = live.service
    const owner = await live.post('/customer', { firstname: 'Ada' })
    const own = { customer_id: owner.body.id }
    const alone = await live.method('pm_card_visa', own)
    const method = await live.method('pm_card_visa', own)
    const { headers } = live.merchant
    for (const path of [`/payment-method/${alone}`, `/customer/${owner.body.id}`]) {
      await app.inject({ method: 'DELETE', url: path, headers })
    }
    const { paymentMethod } = world.db.prisma
    await paymentMethod.updateMany({ data: { forgetDueAt: null } })
    await world.db.query(await readFile(join(MIGRATIONS, FORGET), 'utf8'), [])
    const due = await paymentMethod.findMany({ where: { forgetDueAt: { not: null } } })
    expect(due.map(({ id }) => id)).toContain(method)
    expect(due.map(({ id }) => id)).not.toContain(alone)
  })
})

/** The tokens as they are stored, the oldest first. */
async function tokensOf(live: LiveService, customerId: string | undefined): Promise<string[]> {
  const rows = await live.service.world.db.prisma.paymentMethod.findMany({
    where: {
      accountId: live.merchant.accountId,
      gatewayName: 'stripe',
      ...(customerId === undefined ? {} : { customerId }),
    },
    orderBy: { createdAt: 'asc' },
  })
  return rows.map(({ gatewayToken }) => `${gatewayToken}`)
}
