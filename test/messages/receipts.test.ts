// Messages about rows that were made through the API, as their recipients get them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import type { ClaimedDelivery } from '../../src/deliveries/claim-due-deliveries.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { customerOf, payableInvoice, payInvoice } from '../support/invoices.ts'
import { SALE } from '../support/letter-samples.ts'
import { expectOneSegment } from '../support/one-segment.ts'
import { openPaymentsApi, type PaymentsApi, paymentsApiOf } from '../support/payments-api.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { call, type Merchant } from '../support/test-service.ts'
import { emailOf, textOf } from '../support/written-messages.ts'

const PUBLIC_URL = 'https://pay.example.com'

const OWED_AT = new Date('2026-03-07T20:04:05.000Z')

let api: PaymentsApi

beforeAll(async () => {
  api = await openPaymentsApi({ queues: ['charge', 'refund'], settings: { PUBLIC_URL } })
  await present(api.merchant, 'Wick & Ember', 'hello@wick.example')
})

afterAll(() => api.service.close())

describe('an e-mail', () => {
  it('about a charge is a receipt from its team, and replies go to the team', async () => {
    const id = await api.paid({ total: '212.40', meta: SALE })
    const mail = await emailFor('transaction', id)
    expect(mail).toMatchObject({
      accountId: api.merchant.accountId,
      fromName: 'Wick & Ember',
      replyTo: 'hello@wick.example',
      to: 'ada@example.com',
      subject: '[Test] Receipt for $212.40 from Wick & Ember',
      date: OWED_AT,
    })
    expect(mail.flat).toContain('Visa ending in 1111')
    expect(mail.flat).toContain('This is a test: no money has moved.')
    expect(mail.text).toContain(`Transaction ${id}`)
    expect(mail.text).toContain((await api.get(id)).body.auth_id)
    expect(mail.text).toMatch(/Filament bulb +\$50\.00\n {2}4 × \$12\.50 · E26/)
    expect(mail.html).toContain('<bdi>Filament bulb</bdi>')
  })

  it('about an authorization says that nothing was taken, and about a partial capture how much', async () => {
    const id = await api.authorised({ total: 50, meta: { reference: 'ref-1' } })
    const before = await emailFor('transaction', id)
    expect(before.subject).toBe('[Test] Authorization of $50.00 for Wick & Ember')
    expect(before.flat).toContain('Nothing has been taken yet')
    await api.ask(id, 'capture', { total: 20 })
    const capture = await api.childOf(id, 'capture')
    expect((await emailFor('transaction', id)).flat).toContain('$20.00 of it has been taken')
    const taken = await emailFor('transaction', capture.id)
    expect(taken.subject).toBe('[Test] Receipt for $20.00 from Wick & Ember')
    expect(taken.text).toMatch(/Original +\$50\.00 on /)
    expect(taken.flat).toContain('ref-1')
  })

  it('about a voided charge says so, and so does the one about the void', async () => {
    const id = await api.paid({ total: 30 })
    await api.ask(id, 'void')
    const child = await api.childOf(id, 'void')
    for (const one of [id, child.id]) {
      const mail = await emailFor('transaction', one)
      expect(mail.subject).toBe('[Test] Canceled: payment of $30.00 to Wick & Ember')
      expect(mail.flat).toContain('nothing is taken')
      expect(mail.html).toContain('text-decoration:line-through')
    }
  })

  it('about a voided authorization mentions no payment', async () => {
    const id = await api.authorised({ total: 31 })
    await api.ask(id, 'void')
    const child = await api.childOf(id, 'void')
    for (const one of [id, child.id]) {
      const { subject } = await emailFor('transaction', one)
      expect(subject).toBe('[Test] Canceled: authorization of $31.00 for Wick & Ember')
    }
  })

  it('about a refund says how much comes back, and for which payment', async () => {
    const id = await api.paid({ total: 40 })
    await takeIntoBatch(api.service, [id])
    await api.ask(id, 'refund', { total: 15 })
    const refund = await api.childOf(id, 'refund')
    const mail = await emailFor('transaction', refund.id)
    expect(mail.subject).toBe('[Test] Refund of $15.00 from Wick & Ember')
    expect(mail.flat).toMatch(
      /\$15\.00 of the payment of \$40\.00 on \w+ \d+, \d+ goes back to Visa ending in 1111/,
    )
    expect((await emailFor('transaction', id)).flat).toContain('$15.00 of it has been refunded')
  })

  it('about a refund that failed later goes to all who had its receipt, and says so', async () => {
    const id = await api.paid({ total: 40 })
    await takeIntoBatch(api.service, [id])
    await api.ask(id, 'refund', { total: 15 })
    const refund = await api.childOf(id, 'refund')
    const receipts = `/transaction/${refund.id}/receipt`
    const copies = { ccEmails: ['ada@example.com', 'boss@bücher.example'] }
    expect((await ask('POST', `${receipts}/email`, copies)).status).toBe(200)
    const recipients = async () =>
      (await ask('GET', receipts)).body.map((one: { recipient: string }) => one.recipient)
    const first = await recipients()
    expect(first.toSorted()).toEqual(['ada@example.com', 'boss@bücher.example'])
    for (const again of ['BOSS@bücher.example', 'boss@xn--bcher-kva.example']) {
      expect((await ask('POST', `${receipts}/email`, { ccEmails: [again] })).status).toBe(200)
    }
    const sent = (await recipients()).length
    for (const _ of first) await ask('POST', `/sandbox/transaction/${refund.id}/reversal`, {})
    // One correction for each person, however the addresses were spelt.
    expect((await recipients()).length - sent).toBe(first.length)
    const mail = await emailFor('transaction', refund.id)
    expect(mail.subject).toBe('[Test] Failed: refund of $15.00 from Wick & Ember')
    expect(mail.flat).toMatch(
      /\$15\.00 of the payment of \$40\.00 on .+ could not be paid back to Visa ending in 1111/,
    )
    expect(mail.html).toContain('text-decoration:line-through')
    // The receipt of the payment, if it is sent again, names no such refund.
    expect((await emailFor('transaction', id)).flat).not.toMatch(/refunded/i)
  })

  it.each([
    ['cash', 'in cash'],
    ['check', 'by check'],
  ])('about a manual transaction by %s says so', async (method, words) => {
    const customer_id = await customerOf(api)
    const body = { total: 12, type: 'charge', method, message: 'At the fair', customer_id }
    const made = await ask('POST', '/transaction', body)
    const { text } = await emailFor('transaction', made.body.id)
    expect(text).toContain(words)
    expect(text).toMatch(/Message +At the fair/)
    expect(text).not.toContain('Authorization')
  })

  it('about a declined charge says that nothing was taken', async () => {
    const card = await api.service.card(api.merchant, DECLINED_CARD)
    const declined = await paymentsApiOf(api.service, api.merchant, card).charge({ total: 13 })
    const { subject, text } = await emailFor('transaction', declined.body.id)
    expect(subject).toBe('[Test] Not made: payment of $13.00, Wick & Ember')
    expect(text).toContain('nothing was taken')
    expect(text).toContain(declined.body.message)
  })

  it('about an invoice links to its page, and is no bill any more once it is paid', async () => {
    const id = await payableInvoice(api, { total: 60, due_at: '2026-04-01' })
    const { url } = (await ask('GET', `/invoice/${id}`)).body
    const bill = await emailFor('invoice', id)
    expect(bill.subject).toBe('[Test] Invoice for $60.00, due Apr 1, 2026, from Wick & Ember')
    expect(url).toMatch(/^https:\/\/pay\.example\.com\/bill\/[0-9a-f]{32}$/)
    expect(bill.html).toContain(`href="${url}"`)
    expect(bill.text).toContain(`Pay $60.00:\n${url}`)
    await payInvoice(api, id)
    const paid = await emailFor('invoice', id)
    expect(paid.subject).toBe('[Test] Paid: invoice for $60.00 from Wick & Ember')
    expect(`${paid.html} ${paid.text}`).not.toContain(url)
  })

  it('about an invoice whose payment failed says so kindly, and shows another way', async () => {
    const card = await api.service.card(api.merchant, DECLINED_CARD)
    const biller = { ...api, card }
    const id = await payableInvoice(biller, { total: 61 })
    await payInvoice(biller, id)
    const mail = await emailFor('invoice', id)
    expect(mail.subject).toBe('[Test] Payment of $61.00 did not go through: Wick & Ember')
    expect(mail.flat).toContain('Visa ending in 1881')
    expect(mail.text).toMatch(/Pay \$61\.00:\nhttps:\/\/pay\.example\.com\/bill\/[0-9a-f]{32}\n/)
  })

  it('about a deleted invoice is not sent', async () => {
    const id = await payableInvoice(api)
    await ask('DELETE', `/invoice/${id}`)
    expect(await emailOf(api.service.world, delivery('invoice', id))).toBeUndefined()
    expect(await textOf(api.service.world, delivery('invoice', id))).toBeUndefined()
  })

  it('about a disabled endpoint says why to its team, and how to enable it', async () => {
    const id = await insertWebhook('disabled')
    const mail = await emailFor('webhook', id)
    expect(mail).toMatchObject({
      fromName: 'Lamplighter',
      replyTo: null,
      subject: '[Test] Webhook endpoint disabled: shop.example.com',
    })
    expect(mail.flat).toContain('https://shop.example.com/events')
    expect(mail.flat).not.toContain('hidden')
    expect(mail.flat).toContain('502 Bad Gateway')
    expect(mail.text).toContain(`PUT /webhook/${id}\n{"status":"active"}`)
    expect(mail.text).toContain(`POST /webhook/${id}/replay\n{"since":"2026-03-02T09:30:00.000Z"}`)
    expect(mail.flat).toContain('Mon, Mar 2, 2026, 4:30 AM EST')
  })

  it('about an endpoint that was enabled again meanwhile is not sent', async () => {
    const id = await insertWebhook('active')
    expect(await emailOf(api.service.world, delivery('webhook', id))).toBeUndefined()
  })

  it('about a row that is gone, or in another account, is not sent', async () => {
    const { world } = api.service
    for (const subject of ['transaction', 'invoice', 'webhook'] as const) {
      expect(await emailOf(world, delivery(subject, world.newId()))).toBeUndefined()
      expect(await textOf(world, delivery(subject, world.newId()))).toBeUndefined()
    }
    const { accountId } = await api.service.merchant()
    const invoice = delivery('invoice', await payableInvoice(api))
    expect(await emailOf(world, invoice)).toBeDefined()
    expect(await emailOf(world, { ...invoice, accountId })).toBeUndefined()
    expect(await textOf(world, { ...invoice, accountId })).toBeUndefined()
  })

  it('about a live account mentions no test', async () => {
    const live = await api.service.merchant('live')
    await present(live, 'Wick & Ember', 'hello@wick.example')
    const said: string[] = []
    for (const merchant of [live, api.merchant]) {
      const made = await paidInCash(merchant)
      const sent = { ...delivery('transaction', made), accountId: merchant.accountId }
      const mail = await emailOf(api.service.world, sent)
      const text = await textOf(api.service.world, sent)
      said.push(`${mail?.subject} ${mail?.text} ${mail?.html} ${text?.text}`)
    }
    expect(said[0]).toContain('Receipt for $12.00')
    expect(said.map((one) => /\btest\b/i.test(one))).toEqual([false, true])
  })
})

describe('a text message', () => {
  it('about a receipt fits into one segment, and names the address for its status', async () => {
    const id = await api.paid({ total: '1234.50' })
    const sent = delivery('transaction', id)
    const message = await textOf(api.service.world, sent)
    expect(message).toMatchObject({
      accountId: api.merchant.accountId,
      deliveryId: sent.id,
      to: sent.recipient,
      statusUrl: `${PUBLIC_URL}/provider/twilio/status?account=${sent.accountId}&delivery=${sent.id}`,
    })
    expect(message?.text).toMatch(
      /^TEST, no money moves\. Wick & Ember: \$1,234\.50 paid on \w+ \d+ with Visa 1111\. /,
    )
    expectOneSegment(message?.text ?? '')
  })

  it('about an invoice has the full address of its page', async () => {
    const id = await payableInvoice(api, { total: 62 })
    const { url } = (await ask('GET', `/invoice/${id}`)).body
    const message = await textOf(api.service.world, delivery('invoice', id))
    expect(message?.text).toContain(`invoice for $62.00. Pay: ${url}`)
    expectOneSegment(message?.text ?? '')
  })

  it('about an invoice that is due in a far year names the year', async () => {
    const soon = new Date(Date.now() + 20 * DAY).toISOString().slice(0, 10)
    const near = await payableInvoice(api, { total: 63, due_at: soon })
    const far = await payableInvoice(api, { total: 64, due_at: '2090-01-01' })
    const nearText = (await textOf(api.service.world, delivery('invoice', near)))?.text
    const farText = (await textOf(api.service.world, delivery('invoice', far)))?.text
    expect(nearText).toMatch(/invoice for \$63\.00, due [A-Z][a-z]{2} \d{1,2}\. Pay: /)
    expect(farText).toContain('invoice for $64.00, due Jan 1, 2090. Pay: ')
  })

  it('does not exist for an endpoint', async () => {
    const id = await insertWebhook('disabled')
    expect(await textOf(api.service.world, delivery('webhook', id))).toBeUndefined()
  })
})

/** `flat` is its text on one line. */
async function emailFor(subject: ClaimedDelivery['subject'], id: string) {
  const mail = await emailOf(api.service.world, delivery(subject, id))
  if (mail === undefined) throw new Error(`no e-mail of the ${subject}`)
  return { ...mail, flat: mail.text.replace(/\s+/g, ' ') }
}

function delivery(subject: ClaimedDelivery['subject'], subjectId: string): ClaimedDelivery {
  const { accountId } = api.merchant
  const id = api.service.world.newId()
  const recipient = 'ada@example.com'
  const at = { owedAt: OWED_AT, createdAt: OWED_AT }
  return { accountId, id, subject, subjectId, recipient, ...at } as ClaimedDelivery
}

function ask(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) {
  return call(api.service.app, method, url, api.merchant.headers, body)
}

async function paidInCash({ headers }: Merchant): Promise<string> {
  const customer = await call(api.service.app, 'POST', '/customer', headers, { firstname: 'Ada' })
  const body = { total: 12, type: 'charge', method: 'cash', customer_id: customer.body.id }
  const made = await call(api.service.app, 'POST', '/transaction', headers, body)
  expect(`${made.status} ${made.text}`).toMatch(/^200 /)
  return made.body.id
}

async function present({ teamId: id }: Merchant, name: string, email: string): Promise<void> {
  await api.service.world.db.prisma.team.update({
    where: { id },
    data: { name, email, smsEnabled: true },
  })
}

async function insertWebhook(status: 'active' | 'disabled'): Promise<string> {
  const id = api.service.world.newId()
  await api.service.world.db.prisma.webhook.create({
    data: {
      accountId: api.merchant.accountId,
      id,
      targetUrl: 'https://shop.example.com/events?token=hidden',
      events: ['*'],
      status,
      secret: 'whsec_dGVzdA==',
      failingSince: new Date('2026-03-02T09:30:00.000Z'),
      disabledReason: 'the last answer was 502 Bad Gateway',
      createdAt: OWED_AT,
      updatedAt: OWED_AT,
    },
  })
  return id
}
