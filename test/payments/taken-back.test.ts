// Payments that the payer's bank has taken back, by a dispute or a return: their refunds and voids,
// and what the payer is told.

import assert from 'node:assert'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DisputeStatus } from '../../src/core/dispute.ts'
import { billWordsOf } from '../../src/messages/invoice-words.ts'
import { billStoryOf, readLetterInvoice } from '../../src/messages/read-invoice.ts'
import { readLetterTransaction } from '../../src/messages/read-transaction.ts'
import type { LetterWords } from '../../src/messages/texts/letter-parts.ts'
import { transactionWords } from '../../src/messages/transaction-words.ts'
import { paymentsOwned } from '../../src/payments/anywhere/owned.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { newBill, newNonce, openPage, pageTextOf, payAt, transactionsOf } from '../support/pages.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { BANK } from '../support/sandbox-cards.ts'
import { call } from '../support/test-service.ts'

describe('a payment that the bank has taken back', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi()
  })
  afterAll(() => api.service.close())

  const ask = (path: string, body: object) =>
    call(api.service.app, 'POST', path, api.merchant.headers, body)

  async function news(id: string, what: 'dispute' | 'reversal', body: object): Promise<void> {
    const { status, text } = await ask(`/sandbox/transaction/${id}/${what}`, body)
    expect(`${status} ${text}`).toMatch(/^200 /)
  }

  async function batched(body: object = {}): Promise<string> {
    const id = await api.paid({ total: 30, ...body })
    await takeIntoBatch(api.service, [id])
    return id
  }

  it.each<[DisputeStatus, number]>([
    ['warning', 200],
    ['warning_closed', 200],
    ['needs_response', 409],
    ['under_review', 409],
    ['won', 200],
    ['lost', 409],
  ])('with a dispute that is %s: its refund is %i', async (status, expected) => {
    const id = await batched()
    await news(id, 'dispute', { status })
    const answer = await api.ask(id, 'refund')
    expect(answer.status).toBe(expected)
    if (expected === 200) return
    expectRefusal(answer, 409, 'wrong_state')
    expect(answer.body.message).toBe(
      "the payer's bank has taken back 30.00 of it, by a return or a dispute",
    )
    expectRefusal(await api.ask(id, 'void-or-refund'), 409, 'wrong_state')
    // The refusal has reserved nothing.
    await news(id, 'dispute', { status: 'won' })
    expect((await api.ask(id, 'refund')).body.total_refunded).toBe(30)
  })

  it('in part may be refunded for the rest', async () => {
    const id = await batched()
    expect((await api.ask(id, 'refund', { amount: 5 })).status).toBe(200)
    await news(id, 'dispute', { status: 'lost', amount: 15 })
    const all = await api.ask(id, 'refund')
    expect(all.body.message).toBe(
      "the payer's bank has taken back 15.00 of it, by a return or a dispute; 10.00 is left to refund",
    )
    expectRefusal(await api.ask(id, 'refund', { amount: 10.01 }), 409, 'wrong_state')
    expect((await api.ask(id, 'refund', { amount: 10 })).body.total_refunded).toBe(15)
    expectRefusal(await api.ask(id, 'refund', { amount: 0.01 }), 409, 'wrong_state')
  })

  it('as a returned debit is neither refunded nor voided', async () => {
    const method = await ask('/payment-method', BANK)
    const debit = { payment_method_id: method.body.id }
    const closed = await batched(debit)
    const open = await api.paid({ total: 30, ...debit })
    for (const id of [closed, open]) await news(id, 'reversal', {})
    expectRefusal(await api.ask(closed, 'refund'), 409, 'wrong_state')
    expectRefusal(await api.ask(open, 'void'), 409, 'wrong_state')
    expectRefusal(await api.ask(open, 'void-or-refund'), 409, 'wrong_state')
    // A refund that failed is no money of the payer's bank.
    const id = await batched()
    const refunded = await api.ask(id, 'refund', { amount: 5 })
    await news(refunded.body.child_transactions[0].id, 'reversal', {})
    expect((await api.ask(id, 'refund')).body.total_refunded).toBe(30)
  })

  it('is received no more by its customer’s sum, and a refund that failed is again', async () => {
    const { world } = api.service
    const { accountId } = api.merchant
    const { body: bank } = await ask('/payment-method', BANK)
    const owned = { accountId, owner: 'customer_id', id: bank.customer_id } as const
    const received = async () => (await paymentsOwned(world, owned, 1)).sums?.received
    const debit = { payment_method_id: bank.id }
    const returned = await batched(debit)
    const kept = await batched(debit)
    expect(await received()).toBe(6_000n)
    await news(returned, 'reversal', {})
    expect(await received()).toBe(3_000n)
    const refunded = await api.ask(kept, 'refund', { amount: 5 })
    expect(await received()).toBe(2_500n)
    await news(refunded.body.child_transactions[0].id, 'reversal', {})
    expect(await received()).toBe(3_000n)
    const credit = { total: 7, type: 'credit', method: 'cash', customer_id: bank.customer_id }
    expect((await ask('/transaction', credit)).status).toBe(200)
    expect(await received()).toBe(2_300n)
  })

  it('is shown as such on the pages and in the messages of its invoice and of itself', async () => {
    const { service, merchant } = api
    const bill = await newBill(service, merchant, { total: 30 })
    const nonce = newNonce()
    expect((await payAt(service, bill.path, { nonce, amount: '30.00' })).status).toBe(200)
    const [{ id }] = await transactionsOf(service, merchant)
    const pages = [`${bill.path}/${nonce}`, bill.path]
    const shown = () =>
      Promise.all(pages.map(async (path) => pageTextOf(await openPage(service, path))))
    for (const text of await shown()) expect(text).toContain('Thank you.')
    expect((await wordsOfLetters(id, bill.id)).map(({ title }) => title)).toEqual([
      'Payment received',
      'Invoice paid',
    ])
    await news(id, 'dispute', { status: 'lost' })
    for (const text of await shown()) {
      expect(text).toMatch(/Payment taken back .*bank has taken back \$30\.00/)
      expect(text).not.toContain('Thank you')
      expect(text).not.toMatch(/^Paid/)
    }
    for (const { title, lead, short } of await wordsOfLetters(id, bill.id)) {
      expect(title).toBe('Payment taken back')
      expect(lead).toContain('bank has taken back $30.00')
      expect(short).toContain('bank has taken back $30.00 of $30.00')
    }
    // Its one payment stays as it is: the invoice is not offered for another one.
    const invoice = await call(service.app, 'GET', `/invoice/${bill.id}`, merchant.headers)
    expect(invoice.body).toMatchObject({ status: 'PAID', balance_due: 0 })
    expectRefusal(await ask(`/invoice/${bill.id}/pay`, {}), 409, 'invoice_already_paid')
  })

  async function wordsOfLetters(id: string, invoiceId: string): Promise<readonly LetterWords[]> {
    const { service, merchant } = api
    const { accountId } = merchant
    const payment = await service.world.db.ask(readLetterTransaction, { accountId, id })
    const invoice = await service.world.db.ask(readLetterInvoice, { accountId, id: invoiceId })
    assert(payment && invoice)
    const story = billStoryOf(invoice)
    assert(story)
    return [transactionWords(payment), billWordsOf(invoice, story)]
  }
})
