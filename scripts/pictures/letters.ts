// The pictures of docs/receipts.md: letters as a browser shows them.

import type { Browser } from 'playwright-core'
import { letterHtml } from '../../src/messages/html-of.ts'
import { invoiceLetter } from '../../src/messages/invoice-letter.ts'
import type { Letter } from '../../src/messages/letter.ts'
import { transactionLetter } from '../../src/messages/transaction-letter.ts'
import { webhookLetter } from '../../src/messages/webhook-letter.ts'
import {
  PARENT,
  SALE,
  sampleInvoice,
  sampleTransaction,
  sampleWebhook,
} from '../../test/support/letter-samples.ts'
import { type Screen, savePair } from './save-pair.ts'

const BILL = 'https://pay.example.com/bill/8d7e3a2b1c0d9e8f5b1f0c9be2a94c6f'

const LETTERS: Readonly<Record<string, Letter>> = {
  charge: transactionLetter(sampleTransaction({ meta: SALE })),
  refund: transactionLetter(
    sampleTransaction(
      { type: 'refund', total: 5_000n, createdAt: new Date('2026-03-12T14:20:00Z') },
      { parent: PARENT },
    ),
  ),
  void: transactionLetter(
    sampleTransaction({ isVoided: true }, { mode: 'sandbox', team: { name: 'Demo', email: null } }),
  ),
  invoice: invoiceLetter(sampleInvoice({ meta: SALE }), 'to pay', BILL),
  'failed-payment': invoiceLetter(
    sampleInvoice(
      { status: 'ATTEMPTED', payBy: null, retryAt: new Date('2026-03-08T20:04:00Z') },
      {
        paymentMethod: sampleTransaction().transaction.paymentMethod,
      },
    ),
    'failed',
    BILL,
  ),
  look: invoiceLetter(
    sampleInvoice(
      { meta: SALE },
      {
        look: {
          language: 'fr',
          colour: '#0b6e69',
          logo: undefined,
          supportEmail: 'bonjour@wick.example',
          supportPhone: '+1 212 555 0100',
          website: 'https://wick.example',
        },
      },
    ),
    'to pay',
    BILL,
  ),
  'disabled-endpoint': webhookLetter(sampleWebhook(), new Date('2026-03-07T20:04:00Z')),
}

const SCREENS: Readonly<Record<string, Screen>> = {
  desk: { width: 640, height: 100, sharpness: 1 },
  phone: { width: 390, height: 100, sharpness: 1.5 },
}

export async function pictureLetters(browser: Browser): Promise<void> {
  for (const [name, letter] of Object.entries(LETTERS)) {
    const html = await letterHtml(letter)
    for (const [screen, size] of Object.entries(SCREENS)) {
      await savePair(browser, `receipts/${name}-${screen}`, size, async (page) => {
        await page.setContent(html)
        return page.screenshot({ fullPage: true })
      })
    }
  }
}
