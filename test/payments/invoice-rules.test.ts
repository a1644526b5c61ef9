// What the database enforces about invoices and their payments, whatever the code does.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ruleAgainstInvoice } from '../support/invoice-rules.ts'
import { payableInvoice, payInvoice } from '../support/invoices.ts'
import { makeFinal } from '../support/payments.ts'
import { newPaymentsApi, type PaymentsApi, paymentsApiOf } from '../support/payments-api.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

const ASYNC = { prefer: 'respond-async' }
const PAID = `status = 'PAID', total_paid = total, paid_at = created_at, payment_id = id`

describe('the database', () => {
  let service: TestService
  let api: PaymentsApi

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    api = await newPaymentsApi(service)
  })
  afterAll(() => service.close())

  it.each([
    [`total_paid = total + 1`, 'invoice_sums'],
    [`total_paid = -1`, 'invoice_sums'],
    [`total = 10000000000`, 'invoice_total_in_range'],
    [`currency = 'EUR'`, 'invoice_currency_is_known'],
    [`status = 'PAID'`, 'invoice_paid'],
    [`total_paid = total`, 'invoice_paid'],
    [`paid_at = created_at`, 'invoice_paid'],
    [PAID.replace('payment_id = id', 'payment_id = NULL'), 'invoice_paid'],
    [`status = 'DELETED'`, 'invoice_deleted_at'],
    [`deleted_at = created_at`, 'invoice_deleted_at'],
    [`retry_at = created_at`, 'invoice_retry'],
    [`status = 'ATTEMPTED', retry_at = created_at, payment_id = id`, 'invoice_retry'],
    [`status = 'ATTEMPTED', retry_at = created_at, payment_method_id = NULL`, 'invoice_retry'],
    [`due_at = created_at`, 'invoice_due_retries'],
    [`token = 'x'`, 'invoice_token_form'],
  ])('does not let an invoice be %s', async (change, rule) => {
    const id = await payableInvoice(api)
    expect(await ruleAgainstInvoice(service, id, change)).toBe(rule)
  })

  it.each([
    [PAID],
    [`status = 'ATTEMPTED', retry_at = created_at, due_at = created_at`],
    [`status = 'DELETED', deleted_at = created_at`],
    [`status = 'VIEWED', sent_at = created_at, viewed_at = created_at`],
  ])('lets an invoice be %s, as a control', async (change) => {
    const id = await payableInvoice(api)
    expect(await ruleAgainstInvoice(service, id, change)).toBeUndefined()
  })

  /** Copies a payment with other values, and answers the rule that forbids it. */
  async function copied(id: string, values: object): Promise<string | undefined> {
    const sql = `INSERT INTO transaction SELECT (json_populate_record(t, $2)).* FROM transaction t WHERE id = $1`
    try {
      const own = { id: service.world.newId(), ...values }
      await service.world.db.query(sql, [id, JSON.stringify(own)])
      return undefined
    } catch (error) {
      if (error instanceof pg.DatabaseError) return error.constraint
      throw error
    }
  }

  it('lets an invoice have one payment that is in progress or has paid it', async () => {
    const invoice = await payableInvoice(api)
    const { body } = await payInvoice(api, invoice, {}, ASYNC)
    const id = body.id as string
    expect(body.status).toBe('PENDING')
    expect(await copied(id, {})).toBe('transaction_payment_of_invoice')
    expect(await copied(id, { invoice_id: null })).toBeUndefined()
    const failed = { status: 'FAILED', owed: null, due_at: null, outcome_sequence: 1 }
    expect(await copied(id, failed)).toBeUndefined()
  })

  it('lets each try of an invoice be made once, whatever became of it', async () => {
    const invoice = await payableInvoice(api)
    const id = await makeFinal(service, api.merchant, 'FAILED')
    const ofTry = (n: number | null) => copied(id, { invoice_id: invoice, invoice_try: n })
    expect(await ofTry(1)).toBeUndefined()
    expect(await ofTry(1)).toBe('transaction_try_of_invoice')
    expect(await ofTry(2)).toBeUndefined()
    expect(await ofTry(0)).toBe('transaction_invoice_try')
    expect(await ofTry(null)).toBeUndefined()
  })

  it('refuses a payment for an invoice of another account', async () => {
    const stranger = await service.merchant()
    const theirs = await payableInvoice(
      paymentsApiOf(service, stranger, await service.card(stranger)),
    )
    const id = await makeFinal(service, api.merchant, 'FAILED')
    const rule = await copied(id, { invoice_id: theirs })
    expect(rule).toBe('transaction_account_id_invoice_id_fkey')
    const { body } = await call(service.app, 'GET', `/transaction/${id}`, api.merchant.headers)
    expect(body.invoice_id).toBeNull()
  })
})
