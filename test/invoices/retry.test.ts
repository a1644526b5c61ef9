// Failed automatic payments are retried by the account's plan, until one succeeds or the plan ends.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RetryAdvice } from '../../src/core/decline.ts'
import { DAY } from '../../src/core/time-units.ts'
import type { Gateway } from '../../src/outside/gateway/port.ts'
import { retryDueInvoices } from '../../src/schedules/retry-due-invoices.ts'
import { audit } from '../chaos/audit.ts'
import { openFurther } from '../support/further.ts'
import {
  invoiceEvents,
  otherCard,
  payableInvoice,
  payInvoice,
  toBeTriedAgain,
} from '../support/invoices.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { call } from '../support/test-service.ts'

const PAST = new Date('2026-01-02T03:04:05.678Z')

/** The test alone makes the rounds. */
const QUEUES = ['charge', 'refund', 'doubt', 'sweep'] as const

describe('an automatic payment that failed', () => {
  let api: PaymentsApi
  let bad: string
  /** What the gateway says of each payment that it declines. */
  let advice: RetryAdvice = 'later'

  /** The sandbox gateway with that advice. */
  const advising = (sandbox: Gateway): Gateway => ({
    ...sandbox,
    async carryOut(order, signal) {
      const answer = await sandbox.carryOut(order, signal)
      if (answer.kind !== 'declined' || answer.decline === undefined) return answer
      return { ...answer, decline: { ...answer.decline, retry: advice } }
    },
  })

  beforeAll(async () => {
    api = await openPaymentsApi({ queues: QUEUES, withGateway: advising })
    bad = await otherCard(api, DECLINED_CARD)
  })
  afterAll(() => api.service.close())
  afterEach(() => {
    advice = 'later'
  })

  const invoice = async (id: string) =>
    (await call(api.service.app, 'GET', `/invoice/${id}`, api.merchant.headers)).body

  const triesOf = (id: string) =>
    api.service.world.db.query(
      `SELECT invoice_try, status FROM transaction WHERE invoice_id = $1 ORDER BY created_at, id`,
      [id],
    )

  /** Makes it due now. */
  const makeDue = (id: string) =>
    api.service.world.db.query('UPDATE invoice SET retry_at = $2, due_at = $2 WHERE id = $1', [
      id,
      PAST,
    ])

  /** A new invoice without a try yet; its first try is due. */
  async function billed(body: object = {}): Promise<string> {
    const id = await payableInvoice(api, body)
    await toBeTriedAgain(api.service, id, PAST, { tries: 0 })
    return id
  }

  const untilDecided = (id: string) =>
    expect
      .poll(async () => (await triesOf(id)).filter(({ status }) => status === 'PENDING'))
      .toEqual([])

  const round = () => retryDueInvoices(api.service.world)

  it('is retried after 1, 3 and 7 days, counted from the invoice, and then no more', async () => {
    const id = await billed({ payment_method_id: bad })
    const created = Date.parse((await invoice(id)).created_at)
    for (const days of [1, 3, 7]) {
      expect(await round()).toBe(1)
      await untilDecided(id)
      const planned = new Date(created + days * DAY).toISOString()
      expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', next_retry_at: planned })
      expect(await round()).toBe(0)
      await makeDue(id)
    }
    expect(await round()).toBe(1)
    await untilDecided(id)
    const last = await invoice(id)
    expect(last).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null, balance_due: 10 })
    expect((await invoiceEvents(api.service, id)).at(-1)).toMatchObject({ snapshot: last })
    expect(await round()).toBe(0)
    expect(await triesOf(id)).toEqual(
      [1, 2, 3, 4].map((n) => ({ invoice_try: n, status: 'FAILED' })),
    )
  })

  it('pays the invoice when it succeeds, and is retried no more', async () => {
    const id = await billed()
    expect(await round()).toBe(1)
    await untilDecided(id)
    expect(await invoice(id)).toMatchObject({
      status: 'PAID',
      total_paid: 10,
      balance_due: 0,
      next_retry_at: null,
    })
    expect(await round()).toBe(0)
  })

  it('is retried as planned, though another payment has failed in between', async () => {
    const id = await billed({ payment_method_id: bad })
    expect(await round()).toBe(1)
    await untilDecided(id)
    const next = (await invoice(id)).next_retry_at
    expect((await payInvoice(api, id, { payment_method_id: bad })).status).toBe(400)
    expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', next_retry_at: next })
    await makeDue(id)
    expect(await round()).toBe(1)
    await untilDecided(id)
    expect(await triesOf(id)).toEqual(
      [1, null, 2].map((invoice_try) => ({ invoice_try, status: 'FAILED' })),
    )
  })

  /** A payer's payment that is declined with that advice. */
  async function payerDeclined(id: string, card: string, said: RetryAdvice): Promise<void> {
    advice = said
    expect((await payInvoice(api, id, { payment_method_id: card })).status).toBe(400)
  }

  it('is not made again after it succeeded and was voided, though another fails', async () => {
    const id = await billed()
    expect(await round()).toBe(1)
    await untilDecided(id)
    const [{ id: payment } = { id: '' }] = await api.service.world.db.query(
      'SELECT id FROM transaction WHERE invoice_id = $1',
      [id],
    )
    expect((await api.ask(payment, 'void')).status).toBe(200)
    expect(await invoice(id)).toMatchObject({ status: 'DRAFT', next_retry_at: null })
    await payerDeclined(id, bad, 'later')
    expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
  })

  it('is not retried once a payer has paid, though that is voided and another fails', async () => {
    const id = await billed({ payment_method_id: bad })
    expect(await round()).toBe(1)
    await untilDecided(id)
    expect((await invoice(id)).next_retry_at).not.toBeNull()
    const payer = await payInvoice(api, id, { payment_method_id: api.card })
    expect(payer.status).toBe(200)
    expect((await api.ask(payer.body.id, 'void')).status).toBe(200)
    expect(await invoice(id)).toMatchObject({ status: 'DRAFT', next_retry_at: null })
    await payerDeclined(id, await otherCard(api, DECLINED_CARD), 'later')
    expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
  })

  it('is not retried after `never`, whatever is said of a payer’s other card', async () => {
    const id = await billed({ payment_method_id: bad })
    advice = 'never'
    expect(await round()).toBe(1)
    await untilDecided(id)
    expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
    await payerDeclined(id, await otherCard(api, DECLINED_CARD), 'later')
    expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
  })

  it('stays planned if only a payer’s other card must not be tried again', async () => {
    const id = await billed({ payment_method_id: bad })
    expect(await round()).toBe(1)
    await untilDecided(id)
    const next = (await invoice(id)).next_retry_at
    expect(next).not.toBeNull()
    const other = await otherCard(api, DECLINED_CARD)
    await payerDeclined(id, other, 'never')
    expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', next_retry_at: next })
    await payerDeclined(id, bad, 'never')
    expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
    await payerDeclined(id, other, 'later')
    expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
  })

  it('is made once, and pays once, beside other payments and other rounds', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => billed()))
    await using further = await openFurther(api.service)
    await Promise.all([
      ...ids.map((id, i) => (i % 2 === 0 ? payInvoice(api, id) : undefined)),
      retryDueInvoices(further.world),
      round(),
      ...ids.map((id, i) =>
        i % 2 === 1
          ? payInvoice({ ...api, service: { ...api.service, app: further.app } }, id)
          : undefined,
      ),
      retryDueInvoices(further.world),
    ])
    await round()
    await Promise.all(ids.map(untilDecided))
    const tries = (await Promise.all(ids.map(triesOf))).flat()
    expect(tries.map(({ status }) => status)).toEqual(ids.map(() => 'SUCCESS'))
    for (const id of ids) expect((await invoice(id)).status).toBe('PAID')
  })

  it('leaves a ledger that agrees with itself and with the gateway’s', async () => {
    expect(await audit(api.service.databaseUrl, [])).toEqual([])
  })
})
