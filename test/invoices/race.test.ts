// An invoice is paid once, whichever requests come at the same moment, at any API server, through
// either route and with any key.

import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { audit } from '../chaos/audit.ts'
import { type Further, openFurther } from '../support/further.ts'
import { holdLock } from '../support/hold-lock.ts'
import { invoiceEvents, otherCard, payableInvoice } from '../support/invoices.ts'
import { newPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { type Answer, call, openTestService } from '../support/test-service.ts'

/** Longer than all of them need on a busy machine: a caller that waits too long gets PENDING. */
const SETTINGS = { CHARGE_WAIT_MS: '60s' }

/** No process dies here, and a busy machine is not a silent gateway. */
const TIMINGS = { gatewayTimeoutMs: 20_000, leaseMs: 30_000, nudgeGraceMs: 10_000 }

const LONG_TEST = { timeout: 120_000 }
const ROUNDS = 6

/** How long the deletions come after the payments, or before them: the first one wins. */
const LATE_MS = [-1_000, 0, 5, 20, 1_000]

const HOLD = 'SELECT FROM invoice WHERE account_id = $1 AND id = $2 FOR UPDATE'

describe('simultaneous payments of one invoice', () => {
  let api: PaymentsApi
  let further: readonly Further[]
  let bad: string

  beforeAll(async () => {
    const service = await openTestService({
      settings: SETTINGS,
      timings: TIMINGS,
      queues: QUEUE_NAMES,
    })
    api = await newPaymentsApi(service)
    further = await Promise.all([openFurther(service), openFurther(service)])
    bad = await otherCard(api, DECLINED_CARD)
  })
  afterAll(async () => {
    for (const one of further) await one[Symbol.asyncDispose]()
    await api.service.close()
  })

  /** The API servers take turns. */
  function ask(
    i: number,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
    key?: string,
  ) {
    const services = [api.service, ...further]
    const app = services[i % services.length]?.app ?? api.service.app
    const headers = { ...api.merchant.headers, ...(key && { 'idempotency-key': key }) }
    return call(app, method, url, headers, body)
  }

  const pay = (i: number, id: string, key?: string, body: object = {}) =>
    ask(i, 'POST', `/invoice/${id}/pay`, body, key)

  const charge = (i: number, invoice_id: string, key?: string) =>
    ask(i, 'POST', '/charge', { total: 10, payment_method_id: api.card, invoice_id }, key)

  const all = <T>(many: number, work: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: many }, (_, i) => work(i)))

  const wordOf = ({ body }: Answer): string => body.error ?? body.status

  const chargesOf = (id: string) =>
    api.service.world.db.query('SELECT id, status FROM transaction WHERE invoice_id = $1', [id])

  const paymentsOf = (id: string) =>
    api.service.world.db.query(
      `SELECT id FROM transaction
       WHERE invoice_id = $1 AND type = 'charge' AND status = 'SUCCESS' AND NOT is_voided`,
      [id],
    )

  const invoice = async (id: string) => (await ask(0, 'GET', `/invoice/${id}`)).body

  it(
    'by fifty requests with as many keys, through either route: one pays it',
    LONG_TEST,
    async () => {
      const id = await payableInvoice(api)
      const answers = await all(50, (i) =>
        i % 2 === 0 ? pay(i, id, `payer ${i}`) : charge(i, id, `payer ${i}`),
      )
      const words = answers.map(wordOf)
      expect(words.filter((word) => word === 'SUCCESS')).toHaveLength(1)
      const refusals = words.filter((word) => word !== 'SUCCESS')
      expect(['invoice_already_paid', 'payment_under_way']).toEqual(
        expect.arrayContaining(refusals),
      )
      expect(await chargesOf(id)).toMatchObject([{ status: 'SUCCESS' }])
      expect(await invoice(id)).toMatchObject({ status: 'PAID', balance_due: 0 })
      expect(await invoiceEvents(api.service, id)).toHaveLength(3)
    },
  )

  it(
    'by twenty requests with the same key: one payment, and the same answer',
    LONG_TEST,
    async () => {
      const id = await payableInvoice(api)
      const answers = await all(20, (i) => pay(i, id, 'the same'))
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(answers.filter(({ headers }) => !headers['idempotent-replayed'])).toHaveLength(1)
      expect(await chargesOf(id)).toMatchObject([{ status: 'SUCCESS' }])
      const charged = await payableInvoice(api)
      const others = await all(20, (i) => charge(i, charged, 'the same charge'))
      expect(new Set(others.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(await chargesOf(charged)).toMatchObject([{ status: 'SUCCESS' }])
    },
  )

  it('with a key of another invoice too: each is paid at most once', LONG_TEST, async () => {
    const ids = await all(2, () => payableInvoice(api))
    const answers = await all(20, (i) => pay(i, ids[i % 2] ?? '', 'of both'))
    const words = new Set(answers.map(wordOf))
    expect(words).toEqual(new Set(['SUCCESS', 'idempotency_conflict']))
    const charges = (await Promise.all(ids.map(chargesOf))).flat()
    expect(charges).toMatchObject([{ status: 'SUCCESS' }])
  })

  it('beside deletions: it is either paid once or deleted', LONG_TEST, async () => {
    const seen = new Set<string>()
    // Deletions come first at each API server, last, or as all requests at one of them.
    const deleters = [(i: number) => i < 3, (i: number) => i > 9, (i: number) => i % 3 === 0]
    const rounds = LATE_MS.flatMap((lateMs) => deleters.map((isDeleter) => ({ isDeleter, lateMs })))
    for (const { isDeleter, lateMs } of rounds) {
      const id = await payableInvoice(api)
      const answers = await all(12, async (i) => {
        await delay(Math.max(0, isDeleter(i) ? lateMs : -lateMs))
        return isDeleter(i) ? ask(i, 'DELETE', `/invoice/${id}`) : pay(i, id, `${id} ${i}`)
      })
      const words = new Set(answers.map(wordOf))
      const { status } = await invoice(id)
      const charges = await chargesOf(id)
      seen.add(status)
      if (status === 'DELETED') {
        expect(charges).toEqual([])
        expect(words).toEqual(new Set(['DELETED', 'wrong_state']))
      } else {
        expect([status, charges.length, words.has('DELETED')]).toEqual(['PAID', 1, false])
      }
    }
    expect([...seen].sort()).toEqual(['DELETED', 'PAID'])
  })

  it('behind a change of it: the new total is charged to the new payment method', async () => {
    const id = await payableInvoice(api)
    const change = { total: 20, payment_method_id: await otherCard(api) }
    const { service, merchant } = api
    const earlier = await holdLock(service.databaseUrl, HOLD, [merchant.accountId, id])
    const changing = ask(1, 'PUT', `/invoice/${id}`, change)
    await earlier.untilWaiting(1)
    const paying = pay(2, id)
    await earlier.untilWaiting(2)
    await earlier.release()
    const [changed, paid] = await Promise.all([changing, paying])
    expect(changed.body).toMatchObject(change)
    expect(paid.body).toMatchObject({ ...change, status: 'SUCCESS' })
  })

  it('with some declines: one pays it all the same', LONG_TEST, async () => {
    const id = await payableInvoice(api)
    for (let round = 0; round < ROUNDS; round += 1) {
      await all(6, (i) => pay(i, id, undefined, { payment_method_id: bad }))
    }
    expect(await invoice(id)).toMatchObject({ status: 'ATTEMPTED', total_paid: 0 })
    await all(6, (i) => pay(i, id))
    const charges = await chargesOf(id)
    expect(charges.filter(({ status }) => status === 'SUCCESS')).toHaveLength(1)
    expect(charges.filter(({ status }) => status === 'PENDING')).toEqual([])
    expect(charges.length).toBeGreaterThan(ROUNDS)
    expect((await invoice(id)).status).toBe('PAID')
  })

  it('beside voids of its payment: one payment stands in the end', LONG_TEST, async () => {
    const id = await payableInvoice(api)
    for (let round = 0; round < ROUNDS; round += 1) {
      await all(4, (i) => pay(i, id))
      const [payment] = await paymentsOf(id)
      await all(6, (i) =>
        i % 2 === 0 ? pay(i, id) : ask(i, 'POST', `/transaction/${payment?.id}/void`),
      )
      expect((await paymentsOf(id)).length).toBeLessThanOrEqual(1)
    }
    await pay(0, id)
    expect(await paymentsOf(id)).toHaveLength(1)
    expect(await invoice(id)).toMatchObject({ status: 'PAID', total_paid: 10 })
  })

  it('leave a ledger that agrees with itself and with the gateway’s', async () => {
    expect(await audit(api.service.databaseUrl, [])).toEqual([])
  })
})
