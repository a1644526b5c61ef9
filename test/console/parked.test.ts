// Work that failed for good, or that a person must decide: payments whose outcome the gateway could
// not give, deliveries and endpoints. A person's decision is recorded like an answer of the
// gateway, once, whichever other request decides at the same moment.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PARKED_REASON_WORDS, type ParkedReason } from '../../src/core/delivery.ts'
import type { RowKey } from '../../src/db/columns.ts'
import { askPaymentAgain, decidePayment } from '../../src/operators/decide-payment.ts'
import { applyFinding } from '../../src/payments/make/apply-finding.ts'
import { makeCharge, resolveDoubt } from '../../src/payments/make/make-payment.ts'
import { recordOutcome } from '../../src/payments/record/record-outcome.ts'
import { isVerdict, take } from '../../src/payments/take/take-payment.ts'
import type { World } from '../../src/world.ts'
import { audit } from '../chaos/audit.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { payableInvoice, payInvoice } from '../support/invoices.ts'
import { type SignedIn, see, seeAfter, sendForm, signIn, textOf } from '../support/operator.ts'
import { PATIENCE } from '../support/patience.ts'
import { makePending } from '../support/payments.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const NEVER = new AbortController().signal
const ADA = { name: 'Ada', address: '127.0.0.1' }
const MADE = { made: true, reference: 'gw_123' } as const
const NEVER_MADE = { made: false, evenIfUnsaid: true } as const

interface Ledger {
  readonly amount?: string
  readonly reference?: string
}
const ASYNC = { prefer: 'respond-async' }

describe('the list of failed work', () => {
  let service: TestService
  let merchant: Merchant
  let operator: SignedIn

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { CHARGE_WAIT_MS: '100ms' } })
    merchant = await service.merchant()
    operator = await signIn(service.world)
  })
  afterAll(() => service.close())

  const query = (text: string, values: readonly unknown[]) => service.world.db.query(text, values)

  const keyOf = (id: string): RowKey => ({ accountId: merchant.accountId, id })

  /** Leaves the payment as a worker does if the gateway cannot answer at the deadline. */
  async function park(id: string): Promise<RowKey> {
    await query(
      `UPDATE transaction SET owed = 'doubt', due_at = NULL, parked_at = $2, deadline_at = $2,
         attempt = attempt + 1 WHERE id = $1`,
      [id, service.world.clock.now()],
    )
    return keyOf(id)
  }

  async function parked(): Promise<RowKey> {
    return park((await makePending(service, merchant)).transaction)
  }

  /** The gateway has it, and does not say what became of it. */
  async function undecided(key: RowKey, { amount, reference = 'gw_123' }: Ledger = {}) {
    await query(
      `INSERT INTO sandbox_gateway_payment (account_id, key, gateway_id, operation, parent_key,
         amount, outcome, silent_until, created_at, booked_at)
       SELECT account_id, id::text, $3, type::text, reference_id::text,
         coalesce($2::bigint, total), 'lost', timestamptz '2100-01-01', created_at, created_at
       FROM transaction WHERE id = $1`,
      [key.id, amount ?? null, reference],
    )
    return key
  }

  async function rowOf({ id }: RowKey) {
    const [row] = await query('SELECT * FROM transaction WHERE id = $1', [id])
    return row ?? {}
  }

  const eventsOf = ({ id }: RowKey) =>
    query('SELECT * FROM event WHERE resource_id = $1 ORDER BY sequence', [id])

  const auditOf = ({ id }: RowKey) =>
    query('SELECT deed AS action, operator, detail FROM deed WHERE subject = $1 ORDER BY id', [id])

  const path = ({ accountId, id }: RowKey, what: string) =>
    `/admin/transactions/${accountId}/${id}/${what}`

  describe('a payment', () => {
    it('is listed, and its page offers the decision', async () => {
      const key = await parked()
      const list = await see(service.app, '/admin/parked', operator)
      expect(list.body).toContain(`/admin/transactions/${key.accountId}/${key.id}#decide`)
      const page = await see(
        service.app,
        `/admin/transactions/${key.accountId}/${key.id}`,
        operator,
      )
      expect(page.body).toContain('Review this payment')
    })

    it('decided as made succeeds: with its event, its business day and an audit entry', async () => {
      const key = await undecided(await parked())
      const fields = { reference: 'gw_123', reason: 'seen in its console' }
      expect((await sendForm(service.app, path(key, 'made'), operator, fields)).statusCode).toBe(
        303,
      )
      const row = await rowOf(key)
      expect(row).toMatchObject({ status: 'SUCCESS', auth_id: 'gw_123', parked_at: null })
      expect([row.captured, row.business_date]).toEqual([row.total, expect.any(Date)])
      const [event] = (await eventsOf(key)).slice(-1)
      expect(event?.snapshot).toMatchObject({ status: 'SUCCESS', auth_id: 'gw_123' })
      expect(await auditOf(key)).toEqual([
        {
          action: 'payment decided: made',
          operator: 'Ada',
          detail: {
            account: key.accountId,
            reason: 'seen in its console',
            reference: 'gw_123',
          },
        },
      ])
      const page = await see(
        service.app,
        `/admin/transactions/${key.accountId}/${key.id}`,
        operator,
      )
      const story = page.body.slice(page.body.indexOf('id="story"'))
      for (const words of ['Payment decided: made', 'by Ada', 'seen in its console']) {
        expect(story).toContain(words)
      }
    })

    it.each([
      ['is not there', undefined],
      ['is there with another amount', { amount: '7' }],
      ['is there under another reference', { reference: 'gw_12' }],
    ])('is not decided as made if it %s', async (_, change) => {
      const key = await parked()
      if (change !== undefined) await undecided(key, change)
      for (const reference of ['gw_123', '../payments', 'x'.repeat(101)]) {
        const answer = await sendForm(service.app, path(key, 'made'), operator, {
          reference,
          reason: 'seen in its console',
        })
        const said = [answer.statusCode, answer.body.includes('The gateway has no charge of 10')]
        expect([reference, ...said]).toEqual([reference, 409, true])
        expect(answer.body).toContain('Review this payment')
        expect(answer.body).toContain('value="seen in its console"')
        expect(answer.body).toContain(`value="${reference}"`)
      }
      expect(await rowOf(key)).toMatchObject({ status: 'PENDING', parked_at: expect.any(Date) })
      expect(await auditOf(key)).toEqual([])
    })

    it('decided as never made fails, and moves no money', async () => {
      const key = await parked()
      const fields = { reason: 'nobody has heard of it' }
      await sendForm(service.app, path(key, 'never-made'), operator, fields)
      const row = await rowOf(key)
      expect(row).toMatchObject({ status: 'FAILED', captured: '0', business_date: null })
      expect((await eventsOf(key)).at(-1)?.snapshot).toMatchObject({ status: 'FAILED' })
    })

    it('is not decided as never made while the gateway does not say so', async () => {
      const key = await undecided(await parked())
      const fields = { reason: 'its people say so' }
      const answer = await sendForm(service.app, path(key, 'never-made'), operator, fields)
      expect([answer.statusCode, answer.body]).toEqual([
        409,
        expect.stringContaining('The gateway did not say that it was never made'),
      ])
      expect(await rowOf(key)).toMatchObject({ status: 'PENDING', parked_at: expect.any(Date) })
      expect((await auditOf(key)).map(({ action }) => action)).toEqual([
        'payment decided: never made',
        'decision refused',
      ])
      const sure = { ...fields, even_if_unsaid: 'on' }
      await sendForm(service.app, path(key, 'never-made'), operator, sure)
      expect(await rowOf(key)).toMatchObject({ status: 'FAILED', captured: '0' })
    })

    it('is not decided if it is taken again before the decision is recorded', async () => {
      const key = await parked()
      const { world } = service
      const slow: World = {
        ...world,
        db: {
          ...world.db,
          async ask(statement, input) {
            if (statement.name === recordOutcome.name) await park(key.id)
            return world.db.ask(statement, input)
          },
        },
      }
      const decision = decidePayment(slow, ADA, key, NEVER_MADE, 'its people say so')
      await expect(decision).rejects.toThrow('does not wait for a decision any more')
      expect(await rowOf(key)).toMatchObject({ status: 'PENDING' })
      expect((await auditOf(key)).map(({ action }) => action)).toEqual([
        'payment decided: never made',
        'decision refused',
      ])
    })

    it.each([
      ['made', { reference: 'gw_1' }],
      ['made', { reason: 'because' }],
      ['never-made', { reason: '  ' }],
    ])('is not changed if %s lacks something: %j', async (what, fields) => {
      const key = await parked()
      const { statusCode, body } = await sendForm(service.app, path(key, what), operator, fields)
      expect([statusCode, body.includes('Review this payment')]).toEqual([400, true])
      expect(body).toMatch(/class="fault" role="alert">Enter the (reference|reason) too\./)
      expect(await rowOf(key)).toMatchObject({ status: 'PENDING', parked_at: expect.any(Date) })
      expect(await auditOf(key)).toEqual([])
    })

    it('that is not parked cannot be decided', async () => {
      const { transaction } = await makePending(service, merchant)
      const key = keyOf(transaction)
      const answer = await sendForm(service.app, path(key, 'never-made'), operator, { reason: 'x' })
      expect([answer.statusCode, await auditOf(key)]).toEqual([409, []])
      expect(answer.body).toContain('class="fault"')
      expect((await rowOf(key)).owed).toBe('charge')
    })

    it('is asked about again: it is due, and the gateway’s answer counts', async () => {
      const key = await parked()
      expect((await sendForm(service.app, path(key, 'ask'), operator)).statusCode).toBe(303)
      const asked = await rowOf(key)
      expect(asked).toMatchObject({ owed: 'doubt', parked_at: null, due_at: expect.any(Date) })
      expect(await resolveDoubt(service.world, key, NEVER)).toMatchObject({ kind: 'done' })
      // The sandbox does not know it, and the deadline is over.
      expect(await rowOf(key)).toMatchObject({ status: 'FAILED' })
      expect(await auditOf(key)).toMatchObject([{ action: 'gateway asked again' }])
    })
  })

  it('gets an error for an unknown kind', async () => {
    const { body } = await see(service.app, '/admin/parked?kind=pidgeon', operator)
    expect(body).toContain('“pidgeon” is not one of the choices')
  })

  it('all payments are asked about again, but for those that the page did not show', async () => {
    const [known, unknown] = [await parked(), await undecided(await parked())]
    const page = await see(service.app, '/admin/parked', operator)
    expect(page.body).toContain('Ask about all again')
    const [, until = ''] = /name="until" value="([^"]+)"/.exec(page.body) ?? []
    const later = await parked()
    await query('UPDATE transaction SET parked_at = $2 WHERE id = $1', [
      later.id,
      new Date(Date.parse(until) + 1),
    ])
    const all = '/admin/parked/payments/ask'
    expect((await sendForm(service.app, all, operator, { until: 'now' })).statusCode).toBe(400)
    expect((await sendForm(service.app, all, operator, { until })).statusCode).toBe(303)
    for (const key of [known, unknown]) {
      expect(await rowOf(key)).toMatchObject({ parked_at: null, due_at: expect.any(Date) })
    }
    expect(await rowOf(later)).toMatchObject({ parked_at: expect.any(Date), due_at: null })
    const [entry] = await query(
      "SELECT detail FROM deed WHERE deed = 'gateway asked about all'",
      [],
    )
    expect(entry?.detail.count).toBeGreaterThanOrEqual(2)
    expect(await resolveDoubt(service.world, known, NEVER)).toMatchObject({ kind: 'done' })
    expect((await rowOf(known)).status).toBe('FAILED')
  })

  it('and none is asked about if the audit log cannot say so', async () => {
    const known = await parked()
    const until = new Date().toISOString()
    await query('ALTER TABLE deed RENAME TO deed_away', [])
    const ask = () => sendForm(service.app, '/admin/parked/payments/ask', operator, { until })
    try {
      expect((await ask()).statusCode).toBe(500)
    } finally {
      await query('ALTER TABLE deed_away RENAME TO deed', [])
    }
    expect(await rowOf(known)).toMatchObject({ parked_at: expect.any(Date), due_at: null })
    expect((await ask()).statusCode).toBe(303)
  })

  it('and so are those that a sandbox clock parked in the future', async () => {
    const ahead = [await undecided(await parked()), await undecided(await parked())]
    const parkedAt = new Date(Date.now() + 30 * 86_400_000)
    const parkAhead = 'UPDATE transaction SET parked_at = $2, due_at = NULL WHERE id = $1'
    for (const { id } of ahead) await query(parkAhead, [id, parkedAt])
    const page = await see(service.app, '/admin/parked', operator)
    const [, until = ''] = /name="until" value="([^"]+)"/.exec(page.body) ?? []
    await sendForm(service.app, '/admin/parked/payments/ask', operator, { until })
    for (const key of ahead) {
      expect(await rowOf(key)).toMatchObject({ parked_at: null, due_at: expect.any(Date) })
    }
  })

  describe('a decision', () => {
    it('is made once if two come at the same moment', async () => {
      for (let round = 0; round < 5; round += 1) {
        const key = await undecided(await parked())
        const results = await Promise.allSettled([
          decidePayment(service.world, ADA, key, MADE, 'one'),
          decidePayment(service.world, ADA, key, NEVER_MADE, 'other'),
        ])
        expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
        const [entry, ...others] = await auditOf(key)
        expect(others).toEqual([])
        const isMade = entry?.action === 'payment decided: made'
        expect((await rowOf(key)).status).toBe(isMade ? 'SUCCESS' : 'FAILED')
        expect(await outcomes(key)).toBe(1)
      }
    })

    it('and a question to the gateway at the same moment leave one outcome', async () => {
      for (let round = 0; round < 5; round += 1) {
        const key = await undecided(await parked())
        // A locked row is tried again, as a worker does.
        const ask = askPaymentAgain(service.world, ADA, key).then(() =>
          vi.waitUntil(async () => {
            const { kind } = await resolveDoubt(service.world, key, NEVER)
            return kind !== 'snooze'
          }, PATIENCE),
        )
        await Promise.allSettled([
          decidePayment(service.world, ADA, key, MADE, 'found'),
          ask,
          resolveDoubt(service.world, key, NEVER),
        ])
        // The gateway still doesn’t say, so that it waits for a decision again, which may then come.
        const made = 'payment decided: made'
        const asked = 'gateway asked again'
        const actions = (await auditOf(key)).map(({ action }) => action)
        expect([[made], [asked], [asked, made]]).toContainEqual(actions)
        const isMade = actions.includes(made)
        expect((await rowOf(key)).status).toBe(isMade ? 'SUCCESS' : 'PENDING')
        expect(await outcomes(key)).toBe(isMade ? 1 : 0)
      }
    })

    it('stays, when an answer to an earlier attempt comes late', async () => {
      const { transaction } = await makePending(service, merchant)
      const taken = await take(service.world, keyOf(transaction), 'charge')
      if (isVerdict(taken)) throw new Error('it could not be taken')
      const key = await park(transaction)
      await decidePayment(service.world, ADA, key, NEVER_MADE, 'nobody has heard of it')
      const late = { kind: 'approved', gatewayId: 'gw_late', message: 'Approved' } as const
      await applyFinding(service.world, taken, late, new Date())
      expect(await rowOf(key)).toMatchObject({ status: 'FAILED', auth_id: null })
      expect(await outcomes(key)).toBe(1)
    })

    it('whose process died before the outcome leaves a payment that is asked about', async () => {
      const key = await parked()
      // Leaves the row as its first commit does.
      await query(
        `UPDATE transaction SET parked_at = NULL, due_at = $2, attempt = attempt + 1 WHERE id = $1`,
        [key.id, service.world.clock.now()],
      )
      expect(await resolveDoubt(service.world, key, NEVER)).toMatchObject({ kind: 'done' })
      expect((await rowOf(key)).status).toBe('FAILED')
    })
  })

  it('a void is decided as made under its own reference only, though its charge is voided', async () => {
    const { transaction: id } = await makePending(service, merchant)
    await makeCharge(service.world, keyOf(id), NEVER)
    const headers = { ...merchant.headers, ...ASYNC }
    await call(service.app, 'POST', `/transaction/${id}/void`, headers, {})
    const [child] = await query('SELECT id FROM transaction WHERE reference_id = $1', [id])
    const key = await undecided(await park(child?.id), { reference: 'gw_void' })
    const carriedOut = "UPDATE sandbox_gateway_payment SET outcome = 'approved' WHERE key = $1"
    await query(carriedOut, [key.id])
    await expect(decidePayment(service.world, ADA, key, MADE, 'found')).rejects.toThrow(
      'the gateway has no void of 10 for this payment under gw_123',
    )
    await decidePayment(service.world, ADA, key, { made: true, reference: 'gw_void' }, 'found')
    expect(await rowOf(key)).toMatchObject({ status: 'SUCCESS', auth_id: 'gw_void' })
  })

  it('the advice about the balance is given for money that returns, and for no charge', async () => {
    const advice = async (key: RowKey) => {
      await query("UPDATE transaction SET auth_id = 'gw_1' WHERE id = $1", [key.id])
      const { body } = await see(
        service.app,
        `/admin/transactions/${key.accountId}/${key.id}`,
        operator,
      )
      expect(body).toContain('If it is still open there, end it there')
      return body.includes('A refund waits until the balance covers it')
    }
    const charge = await parked()
    expect(await advice(charge)).toBe(false)
    const { transaction: id } = await makePending(service, merchant)
    await makeCharge(service.world, keyOf(id), NEVER)
    const headers = { ...merchant.headers, ...ASYNC }
    await call(service.app, 'POST', `/transaction/${id}/void`, headers, {})
    const [child] = await query('SELECT id FROM transaction WHERE reference_id = $1', [id])
    const voided = await park(child?.id)
    expect(await advice(voided)).toBe(true)
    await decidePayment(service.world, ADA, voided, NEVER_MADE, 'found')
  })

  it.each([
    ['made', MADE, { refunded: '400', reserved: '0' }],
    ['never made', NEVER_MADE, { refunded: '0', reserved: '0' }],
  ])('about a refund changes the rest of its charge: %s', async (_, decision, sums) => {
    const { transaction: id } = await makePending(service, merchant)
    await makeCharge(service.world, keyOf(id), NEVER)
    await takeIntoBatch(service, [id])
    const headers = { ...merchant.headers, ...ASYNC }
    const asked = await call(service.app, 'POST', `/transaction/${id}/refund`, headers, {
      total: 4,
    })
    expect(asked.status).toBe(202)
    expect(await rowOf(keyOf(id))).toMatchObject({ refunded: '0', reserved: '400' })
    const [child] = await query('SELECT id FROM transaction WHERE reference_id = $1', [id])
    await decidePayment(
      service.world,
      ADA,
      await undecided(await park(child?.id)),
      decision,
      'found',
    )
    expect(await rowOf(keyOf(id))).toMatchObject(sums)
  })

  it.each([
    ['made', MADE, { status: 'PAID', total_paid: '1000' }],
    ['never made', NEVER_MADE, { status: 'ATTEMPTED', total_paid: '0' }],
  ])('about an invoice’s payment changes the invoice: %s', async (_, decision, invoice) => {
    const card = await service.card(merchant)
    const id = await payableInvoice({ service, merchant, card })
    const { body } = await payInvoice({ service, merchant }, id, {}, ASYNC)
    await decidePayment(service.world, ADA, await undecided(await park(body.id)), decision, 'found')
    const [row] = await query('SELECT status, total_paid FROM invoice WHERE id = $1', [id])
    expect(row).toEqual(invoice)
  })

  describe('a delivery', () => {
    const statusOf = async (id: string | undefined) =>
      (await query('SELECT status FROM delivery WHERE id = $1', [id]))[0]?.status

    it('is retried, alone or with all of its reason, in its account only', async () => {
      const { accountId } = merchant
      const park = (reason: ParkedReason, count: number) =>
        insertDeliveries(service, accountId, count, { status: 'parked', reason })
      const [one, other] = await park('out_of_tries', 2)
      const [refused] = await park('refused', 1)
      const [out] = await park('opted_out', 1)
      await park('no_target', 1)
      const page = await see(service.app, '/admin/deliveries?state=failed&channel=email', operator)
      const text = textOf(page.body)
      for (const reason of ['out_of_tries', 'refused', 'opted_out', 'no_target'] as const) {
        expect(text).toContain(PARKED_REASON_WORDS[reason])
      }
      expect(text).not.toMatch(/no.target|out.of.tries/)
      expect(text).toContain('Retry all')
      const again = `/admin/deliveries/${accountId}/${one}/retry`
      const retried = await sendForm(service.app, again, operator)
      expect(retried.statusCode).toBe(303)
      expect((await seeAfter(service.app, retried, operator)).first).toContain(
        '1 delivery is queued for retry.',
      )
      expect(await Promise.all([one, other].map(statusOf))).toEqual(['pending', 'parked'])
      const refusal = await sendForm(service.app, again, operator, { from: 'list' })
      expect(refusal.headers.location).toBe('/admin/deliveries?state=due&channel=email')
      expect((await seeAfter(service.app, refusal, operator)).first).toContain(
        'The delivery can’t be retried: its endpoint is disabled',
      )
      const fields = { channel: 'email', reason: 'out_of_tries' }
      const until = new Date().toISOString()
      await sendForm(service.app, '/admin/deliveries/retry', operator, { ...fields, until })
      const after = await Promise.all([one, other, refused, out].map(statusOf))
      expect(after).toEqual(['pending', 'pending', 'parked', 'parked'])
      const [entry] = await query(
        `SELECT detail FROM deed WHERE deed = 'deliveries tried again'`,
        [],
      )
      expect(entry?.detail).toEqual({ ...fields, count: 1 })
    })

    it('is closed, alone or with all of its reason, and found among the closed ones', async () => {
      const { accountId } = merchant
      const park = (reason: 'expired' | 'undelivered', count: number) =>
        insertDeliveries(service, accountId, count, { status: 'parked', reason, channel: 'sms' })
      const [one = '', other = ''] = await park('expired', 2)
      const [left = ''] = await park('undelivered', 1)
      const bodyOf = async (state: string) =>
        (await see(service.app, `/admin/deliveries?channel=sms&state=${state}`, operator)).body
      const closeOne = `/admin/deliveries/${accountId}/${one}/dismiss`
      expect((await sendForm(service.app, closeOne, operator)).statusCode).toBe(303)
      const twice = await sendForm(service.app, closeOne, operator)
      expect(twice.headers.location).toBe(`/admin/deliveries/${accountId}/${one}`)
      expect((await seeAfter(service.app, twice, operator)).first).toContain(
        'The delivery was not dismissed: it was retried or dismissed already.',
      )
      const fields = { channel: 'sms', reason: 'expired' }
      const [, until = ''] = /name="until" value="([^"]*)"/.exec(await bodyOf('failed')) ?? []
      // This one failed after the page was opened.
      const [late = ''] = await park('expired', 1)
      const closeAll = '/admin/deliveries/dismiss'
      expect((await sendForm(service.app, closeAll, operator, fields)).statusCode).toBe(400)
      const closed = await sendForm(service.app, closeAll, operator, { ...fields, until })
      const page = await seeAfter(service.app, closed, operator)
      expect(page.first).toContain('1 delivery is dismissed.')
      expect(page.again).not.toContain('dismissed.')
      const none = await sendForm(service.app, closeAll, operator, { ...fields, until })
      expect((await seeAfter(service.app, none, operator)).first).toContain('None was left')
      const named = (body: string) =>
        [one, other, left, late].map((id) => body.includes(`${id}/retry`))
      expect(named(await bodyOf('failed'))).toEqual([false, false, true, true])
      expect(named(await bodyOf('dismissed'))).toEqual([true, true, false, false])
      const again = `/admin/deliveries/${accountId}/${one}/retry`
      const back = await sendForm(service.app, again, operator, { from: 'list' })
      expect(back.headers.location).toBe('/admin/deliveries?state=dismissed&channel=sms')
      expect(await auditOf(keyOf(one))).toMatchObject([
        { action: 'delivery dismissed' },
        { action: 'delivery tried again' },
      ])
      const [entry] = await query(
        `SELECT detail FROM deed WHERE deed = 'deliveries dismissed' ORDER BY id`,
        [],
      )
      expect(entry?.detail).toEqual({ ...fields, count: 1 })
    })

    it('to an opted-out recipient is never retried together with all others', async () => {
      const fields = { channel: 'sms', reason: 'opted_out' }
      const answer = await sendForm(service.app, '/admin/deliveries/retry', operator, fields)
      expect(answer.statusCode).toBe(400)
    })
  })

  it('an endpoint that was disabled is enabled again', async () => {
    const sent = { target_url: 'https://shop.example/events', event: '*' }
    const made = await call(service.app, 'POST', '/webhook', merchant.headers, sent)
    await query(
      `UPDATE webhook SET status = 'disabled', disabled_reason = 'failing' WHERE id = $1`,
      [made.body.id],
    )
    const page = await see(service.app, '/admin/parked?kind=endpoint', operator)
    expect(page.body).toContain('https://shop.example/events')
    // A failed delivery names the address of its endpoint too.
    const columns = { status: 'parked', channel: 'webhook', endpoint: made.body.id } as const
    await insertDeliveries(service, merchant.accountId, 1, columns)
    const failed = await see(
      service.app,
      '/admin/deliveries?state=failed&channel=webhook',
      operator,
    )
    expect(failed.body).toMatch(
      /\/admin\/endpoints\/[^"]+" title="[^"]*">https:\/\/shop\.example\/events</,
    )
    const enable = `/admin/endpoints/${merchant.accountId}/${made.body.id}/enable`
    const enabled = await sendForm(service.app, enable, operator, { from: 'parked' })
    expect(enabled.statusCode).toBe(303)
    expect((await seeAfter(service.app, enabled, operator)).first).toContain(
      'The endpoint is enabled.',
    )
    const [row] = await query('SELECT status FROM webhook WHERE id = $1', [made.body.id])
    expect(row?.status).toBe('active')
  })

  it('an endpoint is shown once it has failed for an hour', async () => {
    const sent = { target_url: 'https://shop.example/failing', event: 'create_customer' }
    const made = await call(service.app, 'POST', '/webhook', merchant.headers, sent)
    const shown = async (minutes: number) => {
      const at = new Date(Date.now() - minutes * 60_000)
      await query('UPDATE webhook SET failing_since = $2 WHERE id = $1', [made.body.id, at])
      return (await see(service.app, '/admin/parked?kind=endpoint', operator)).body
    }
    expect(await shown(50)).not.toContain('shop.example/failing')
    const long = await shown(70)
    expect(long).toContain('shop.example/failing')
    expect(long).toContain('Each delivery fails, and is tried again.')
    expect(long).not.toContain(`${made.body.id}/enable`)
    await query('UPDATE webhook SET paused_at = failing_since WHERE id = $1', [made.body.id])
    expect(await shown(70)).not.toContain('shop.example/failing')
  })

  it('leaves a ledger that is right, whatever the gateway has in its own', async () => {
    const faults = await audit(service.databaseUrl, [])
    const unlisted =
      /^(nothing is owed|the gateway agrees with what \w+|the gateway made what we ordered): /
    expect(faults.filter((fault) => !unlisted.test(fault))).toEqual([])
  })

  /** The events with its decided state that follow an event with its earlier state. */
  async function outcomes(key: RowKey): Promise<number> {
    const statuses = (await eventsOf(key)).map(({ snapshot }) => snapshot.status)
    return statuses.filter((status, i) => status !== 'PENDING' && statuses[i - 1] !== status).length
  }
})
