// The page of a bill: the amount due and its lines, the first view, and one payment only.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '../../src/core/reference.ts'
import { billWordsOf } from '../../src/messages/invoice-words.ts'
import { billStoryOf, readLetterInvoice } from '../../src/messages/read-invoice.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { invoiceEvents } from '../support/invoices.ts'
import {
  askPage,
  MANY_PAYERS,
  type NewBill,
  newBill,
  newNonce,
  openPage,
  pageTextOf,
  payAt,
  transactionsOf,
} from '../support/pages.ts'
import { CARD, DECLINED_CARD } from '../support/sandbox-cards.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** The sandbox gateway decides this amount only at the deadline. */
const UNDECIDED = { total: 763.63 }

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS })
  merchant = await service.merchant()
})
afterAll(() => service.close())

const invoice = async ({ id }: NewBill) =>
  (await call(service.app, 'GET', `/invoice/${id}`, merchant.headers)).body

const remove = ({ id }: NewBill) => call(service.app, 'DELETE', `/invoice/${id}`, merchant.headers)

const removeCustomer = ({ customerId }: NewBill) =>
  call(service.app, 'DELETE', `/customer/${customerId}`, merchant.headers)

const setStatus = ({ id }: NewBill, status: string) =>
  service.world.db.query(
    `UPDATE invoice SET status = $2::invoice_status, sent_at = created_at WHERE id = $1`,
    [id, status],
  )

async function letterOf(id: string): Promise<string> {
  const { accountId } = merchant
  const about = await service.world.db.ask(readLetterInvoice, { accountId, id })
  if (about === undefined) throw new Error('there is no such invoice')
  return billWordsOf(about, billStoryOf(about) ?? 'to pay').lead
}

describe('the page of a bill', () => {
  it("shows what is billed, as the bill's e-mail does", async () => {
    const meta = {
      subtotal: 135,
      tax: 8.5,
      shippingAmount: 5,
      poNumber: 'PO-77',
      memo: 'Many thanks',
      reference: 'Order 12',
      lineItems: [{ item: 'Beans', details: 'Dark roast', quantity: 3, price: 45 }],
    }
    const bill = await newBill(service, merchant, { total: 148.5, due_at: '2026-12-24', meta })
    const text = pageTextOf(await openPage(service, bill.path))
    for (const words of [
      '$148.50',
      'Please pay by Dec 24, 2026',
      'Beans',
      '3 × $45.00 · Dark roast',
      'Subtotal $135.00',
      'Tax $8.50',
      'Shipping $5.00',
      'PO number PO-77',
      'Reference Order 12',
      'Memo Many thanks',
      'Billed to Ada Lovelace',
      referenceOf(bill.id),
    ]) {
      expect(text).toContain(words)
    }
    expect(text).not.toContain(bill.customerId)
  })

  it('is paid by a card that becomes its customer’s, and is paid from then on', async () => {
    const bill = await newBill(service, merchant, { meta: { memo: 'ours' } })
    const nonce = newNonce()
    const { status, body } = await payAt(service, bill.path, { nonce })
    expect([status, body]).toEqual([200, { state: 'approved', next: `${bill.path}/${nonce}` }])
    expect(await invoice(bill)).toMatchObject({ status: 'PAID', total_paid: 10, balance_due: 0 })
    const [made] = await transactionsOf(service, merchant)
    expect(made).toMatchObject({
      invoice_id: bill.id,
      customer_id: bill.customerId,
      channel: 'page',
      meta: { memo: 'ours' },
    })
    const page = await openPage(service, bill.path)
    expect([page.status, pageTextOf(page)]).toEqual([
      200,
      expect.stringMatching(/is paid.*Paid on/),
    ])
    expect(page.text).not.toContain('<form')
    expect(pageTextOf(await openPage(service, `${bill.path}/${nonce}`))).toContain(
      'Visa ending in 1111',
    )
  })

  it.each([undefined, DECLINED_CARD])(
    'leaves its customer without a default, until the merchant adds a card: %s',
    async (number) => {
      const bill = await newBill(service, merchant)
      await payAt(service, bill.path, {}, number)
      const path = `/customer/${bill.customerId}/payment-method`
      const [tried] = (await call(service.app, 'GET', path, merchant.headers)).body
      expect(tried.is_default).toBe(false)
      const own = { ...CARD, customer_id: bill.customerId }
      const added = await call(service.app, 'POST', '/payment-method', merchant.headers, own)
      expect(added.body.is_default).toBe(true)
    },
  )

  it('says what of its payment has been refunded since', async () => {
    const bill = await newBill(service, merchant)
    await payAt(service, bill.path)
    const [{ id }] = await transactionsOf(service, merchant)
    await takeIntoBatch(service, [id])
    const afterRefund = async (amount: number) => {
      const path = `/transaction/${id}/refund`
      const { status } = await call(service.app, 'POST', path, merchant.headers, { amount })
      expect(status).toBe(200)
      return pageTextOf(await openPage(service, bill.path))
    }
    expect(await afterRefund(3)).toMatch(/Part of it has been refunded since.*Refunded \$3\.00/)
    expect(await afterRefund(7)).toMatch(/All of it has been refunded since.*Refunded \$10\.00/)
  })

  it('names no refund that failed, nor does the page of its payment', async () => {
    const bill = await newBill(service, merchant)
    const nonce = newNonce()
    await payAt(service, bill.path, { nonce })
    const [{ id }] = (await transactionsOf(service, merchant)).filter(isOf(bill))
    await takeIntoBatch(service, [id])
    const post = (path: string, body: object = {}) =>
      call(service.app, 'POST', path, merchant.headers, body)
    await post(`/transaction/${id}/refund`, { amount: 4 })
    const refunded = await post(`/transaction/${id}/refund`)
    const pages = async () => {
      const [own, payment] = [bill.path, `${bill.path}/${nonce}`]
      const opened = await Promise.all([own, payment].map((path) => openPage(service, path)))
      return opened.map(pageTextOf)
    }
    const fail = ({ id: refund }: { id: string }) => post(`/sandbox/transaction/${refund}/reversal`)
    const [first, rest] = refunded.body.child_transactions
    expect((await fail(rest)).status).toBe(200)
    for (const page of await pages()) {
      expect(page).toMatch(/Part of it has been refunded since.*Refunded \$4\.00/)
    }
    await fail(first)
    for (const page of await pages()) expect(page).not.toMatch(/refunded/i)
  })

  it('says so after a decline, and takes another card', async () => {
    const bill = await newBill(service, merchant)
    await payAt(service, bill.path, {}, DECLINED_CARD)
    expect((await invoice(bill)).status).toBe('ATTEMPTED')
    expect(pageTextOf(await openPage(service, bill.path))).toContain('you were not charged')
    expect((await payAt(service, bill.path)).body.state).toBe('approved')
  })

  it('of a schedule sends no message about a decline that its payer has seen', async () => {
    const bill = await newBill(service, merchant)
    const sent = { customer_id: bill.customerId, total: 10, rule: 'FREQ=MONTHLY' }
    const schedule = await call(service.app, 'POST', '/invoice/schedule', merchant.headers, sent)
    const { query } = service.world.db
    await query('UPDATE invoice SET schedule_id = $2 WHERE id = $1', [bill.id, schedule.body.id])
    await payAt(service, bill.path, {}, DECLINED_CARD)
    expect((await invoice(bill)).status).toBe('ATTEMPTED')
    expect(await query('SELECT id FROM delivery WHERE subject_id = $1', [bill.id])).toEqual([])
  })

  it('has letters that name the card that was tried, not that of the invoice', async () => {
    const { customerId } = await newBill(service, merchant)
    const post = (path: string, body: object) =>
      call(service.app, 'POST', path, merchant.headers, body)
    const card = await post('/payment-method', { ...CARD, customer_id: customerId })
    const fields = { total: 10, customer_id: customerId, payment_method_id: card.body.id }
    const { body } = await post('/invoice', fields)
    const lastFour = (number: string) => `ending in ${number.slice(-4)}`
    await payAt(service, new URL(body.url).pathname, {}, DECLINED_CARD)
    expect(await letterOf(body.id)).toContain(lastFour(DECLINED_CARD))
    expect(await letterOf(body.id)).not.toContain(lastFour(CARD.card_number))
    await post(`/invoice/${body.id}/pay/cash`, {})
    expect(await letterOf(body.id)).not.toContain('ending in')
  })

  it.each([
    [400, 'Part of it has been refunded since.'],
    [1_000, 'All of it has been refunded since.'],
  ])('says after a refund of %s cents how much of it was refunded', async (cents, words) => {
    const bill = await newBill(service, merchant)
    const nonce = newNonce()
    await payAt(service, bill.path, { nonce })
    const [payment] = (await transactionsOf(service, merchant)).filter(isOf(bill))
    await takeIntoBatch(service, [payment.id])
    const path = `/transaction/${payment.id}/refund`
    await call(service.app, 'POST', path, merchant.headers, { total: cents / 100 })
    expect(pageTextOf(await openPage(service, `${bill.path}/${nonce}`))).toContain(words)
  })

  it('says that a payment is in progress, by any payer, and takes no other', async () => {
    const bill = await newBill(service, merchant, UNDECIDED)
    const first = await payAt(service, bill.path, { amount: '763.63' })
    expect(first.body.state).toBe('processing')
    const page = await openPage(service, bill.path)
    expect(pageTextOf(page)).toContain('Payment in progress')
    expect(page.text).not.toContain('<form')
    expect((await askPage(service, bill.path)).body).toEqual({ state: 'processing' })
    const second = await payAt(service, bill.path, { amount: '763.63' })
    expect([second.status, second.body.reload]).toEqual([409, true])
    expect((await transactionsOf(service, merchant)).filter(isOf(bill))).toHaveLength(1)
  })

  it.each([
    ['is paid', (bill: NewBill) => payAt(service, bill.path), 200, 'is paid'],
    ['is void', (bill: NewBill) => setStatus(bill, 'VOID'), 410, 'was canceled'],
    ['is deleted', (bill: NewBill) => remove(bill), 410, 'was canceled'],
    ['is of a deleted customer', (bill: NewBill) => removeCustomer(bill), 410, 'ask them'],
  ])('that %s takes no payment', async (_, end, answered, words) => {
    const bill = await newBill(service, merchant)
    await end(bill)
    const paid = (await transactionsOf(service, merchant)).filter(isOf(bill))
    const page = await openPage(service, bill.path)
    expect([page.status, pageTextOf(page)]).toEqual([answered, expect.stringContaining(words)])
    const late = await payAt(service, bill.path)
    expect([late.status >= 409, late.body.reload]).toEqual([true, true])
    expect((await transactionsOf(service, merchant)).filter(isOf(bill))).toEqual(paid)
  })

  it('that is paid stays so when its customer is deleted', async () => {
    const bill = await newBill(service, merchant)
    await payAt(service, bill.path)
    expect((await removeCustomer(bill)).status).toBe(200)
    const page = await openPage(service, bill.path)
    expect([page.status, pageTextOf(page)]).toEqual([200, expect.stringContaining('is paid')])
  })

  it('takes the amount due, and no other', async () => {
    const bill = await newBill(service, merchant)
    expect((await payAt(service, bill.path, { amount: '9.99' })).status).toBe(409)
    expect((await invoice(bill)).status).toBe('DRAFT')
  })

  it.each(['/bill/0123456789abcdef0123456789abcdef', '/bill/x'])(
    '%s is not found',
    async (path) => {
      expect((await openPage(service, path)).status).toBe(404)
    },
  )
})

const isOf =
  ({ id }: NewBill) =>
  (one: { invoice_id: string | null }) =>
    one.invoice_id === id

describe('the first view of a bill', () => {
  const statusEvents = async ({ id }: NewBill) =>
    (await invoiceEvents(service, id)).map(({ type, snapshot }) => [type, snapshot.status])

  it('is recorded once, when the page is first opened: SENT becomes VIEWED', async () => {
    const bill = await newBill(service, merchant)
    await setStatus(bill, 'SENT')
    await Promise.all(Array.from({ length: 5 }, () => openPage(service, bill.path)))
    await openPage(service, bill.path)
    const seen = await invoice(bill)
    expect([seen.status, seen.viewed_at]).toEqual(['VIEWED', expect.any(String)])
    expect(await statusEvents(bill)).toEqual([
      ['create_invoice', 'DRAFT'],
      ['update_invoice', 'VIEWED'],
    ])
  })

  it.each(['DRAFT', 'ATTEMPTED'])('leaves a bill %s that is so already', async (status) => {
    const bill = await newBill(service, merchant)
    await setStatus(bill, status)
    await openPage(service, bill.path)
    const seen = await invoice(bill)
    expect([seen.status, seen.viewed_at]).toEqual([status, expect.any(String)])
  })

  it("is not a HEAD request, nor a browser's prefetch", async () => {
    const bill = await newBill(service, merchant)
    await setStatus(bill, 'SENT')
    await service.app.inject({ method: 'HEAD', url: bill.path })
    await openPage(service, bill.path, { 'sec-purpose': 'prefetch;prerender' })
    await openPage(service, bill.path, { purpose: 'prefetch' })
    await askPage(service, bill.path)
    expect(await invoice(bill)).toMatchObject({ status: 'SENT', viewed_at: null })
  })

  it('is not a page that refuses to show it, because its customer is deleted', async () => {
    const bill = await newBill(service, merchant)
    await setStatus(bill, 'SENT')
    await removeCustomer(bill)
    expect((await openPage(service, bill.path)).status).toBe(410)
    expect(await invoice(bill)).toMatchObject({ status: 'SENT', viewed_at: null })
  })

  it('is recorded in the account’s own time', async () => {
    const other = await service.merchant()
    const now = '2031-03-07T12:00:00.000Z'
    await call(service.app, 'POST', '/sandbox/clock', other.headers, { now })
    const bill = await newBill(service, other)
    await openPage(service, bill.path)
    const seen = await call(service.app, 'GET', `/invoice/${bill.id}`, other.headers)
    expect(seen.body.viewed_at).toBe(now)
    expect(pageTextOf(await openPage(service, bill.path))).toContain('Issued Mar 7, 2031')
  })
})
