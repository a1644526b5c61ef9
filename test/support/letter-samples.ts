// The rows that messages are about, as a statement would read them, without a database.

import type { Customer, PaymentMethod, Webhook } from '../../src/generated/client.ts'
import type { LetterInvoice } from '../../src/messages/read-invoice.ts'
import type { LetterTransaction } from '../../src/messages/read-transaction.ts'
import type { LetterWebhook } from '../../src/messages/webhook-letter.ts'

type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined }

const ID = '01941f29-7c00-7000-8000-'
const AT = new Date('2026-03-07T20:04:00.000Z')

const accountContext = {
  team: { name: 'Wick & Ember Lighting', email: 'hello@wick.example' },
  mode: 'live',
  timezone: 'America/New_York',
  look: {
    language: 'en',
    colour: null,
    logo: undefined,
    supportEmail: null,
    supportPhone: null,
    website: null,
  },
} as const

const customer = {
  firstname: 'Ada',
  lastname: 'Lovelace',
  company: null,
  email: 'ada@example.com',
} as Customer

const paymentMethod = { method: 'card', cardType: 'visa', lastFour: '1111' } as PaymentMethod

const transaction = {
  id: `${ID}5f1b0f9be2a9`,
  type: 'charge',
  method: 'card',
  status: 'SUCCESS',
  message: 'Approved',
  currency: 'USD',
  total: 21_240n,
  captured: 21_240n,
  refunded: 0n,
  isVoided: false,
  authId: 'ch_3PqL7x',
  lastFour: '1111',
  meta: {},
  createdAt: AT,
  customer,
  paymentMethod,
} as LetterTransaction['transaction']

const invoice = {
  id: `${ID}8d7e3a2b1c0d`,
  status: 'SENT',
  total: 21_240n,
  totalPaid: 0n,
  currency: 'USD',
  token: '8d7e3a2b1c0d9e8f5b1f0c9be2a94c6f',
  meta: {},
  payBy: new Date('2026-03-21T00:00:00.000Z'),
  scheduleId: null,
  paidAt: null,
  retryAt: null,
  paymentId: null,
  createdAt: AT,
} as LetterInvoice['invoice']

const webhook = {
  id: `${ID}3c0ffee0beef`,
  targetUrl: 'https://shop.example.com/events?token=hidden',
  status: 'disabled',
  failingSince: new Date('2026-03-02T09:30:00.000Z'),
  disabledReason: 'Nothing but failures for 5 days; the last one: 502 Bad Gateway',
  deletedAt: null,
} as Webhook

export function sampleTransaction(
  changes: Changes<LetterTransaction['transaction']> = {},
  others: Changes<LetterTransaction> = {},
): LetterTransaction {
  const row = { ...transaction, ...changes } as LetterTransaction['transaction']
  const common = { ...accountContext, parent: undefined, takenBack: 0n, failedLater: false }
  return { ...common, ...others, transaction: row } as LetterTransaction
}

export function sampleInvoice(
  changes: Changes<LetterInvoice['invoice']> = {},
  others: Changes<LetterInvoice> = {},
): LetterInvoice {
  const row = { ...invoice, ...changes } as LetterInvoice['invoice']
  const common = {
    ...accountContext,
    customer,
    paymentMethod: undefined,
    runDay: null,
    takenBack: 0n,
  }
  return { ...common, ...others, invoice: row } as LetterInvoice
}

export function sampleWebhook(
  changes: Changes<Webhook> = {},
  others: Changes<LetterWebhook> = {},
): LetterWebhook {
  return {
    ...accountContext,
    ...others,
    webhook: { ...webhook, ...changes } as Webhook,
  } as LetterWebhook
}

/** A sale with every field that messages show. */
export const SALE = {
  subtotal: 186,
  tax: '16.40',
  shippingAmount: 10,
  poNumber: 'PO-4711',
  memo: 'Please leave it with the neighbor at no. 12.',
  reference: 'W-2026-0307',
  lineItems: [
    { item: 'Walnut desk lamp', details: 'Brass neck, linen shade', quantity: 1, price: 124 },
    { item: 'Filament bulb', details: 'E26, 2200 K, dimmable', quantity: 4, price: 12.5 },
    { item: 'Braided cord', quantity: 2, price: 6 },
  ],
}

export const PARENT = {
  type: 'charge',
  total: 21_240n,
  meta: { reference: 'W-2026-0307' },
  createdAt: AT,
} as const
