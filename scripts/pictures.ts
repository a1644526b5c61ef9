// Takes the pictures of docs/receipts.md: letters as a browser shows them, by day and by night, on a
// desk and in a hand. It needs a Chromium, by CHROMIUM or on the PATH.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { htmlOf } from '../src/receipts/html-of.ts'
import { invoiceLetter } from '../src/receipts/invoice-letter.ts'
import type { Letter } from '../src/receipts/letter.ts'
import { transactionLetter } from '../src/receipts/transaction-letter.ts'
import { webhookLetter } from '../src/receipts/webhook-letter.ts'
import { PARENT, SALE, toldInvoice, toldTransaction, toldWebhook } from '../test/support/told.ts'
import { sideBySide } from './pictures/small-png.ts'

const FOLDER = join(import.meta.dirname, '..', 'docs', 'pictures', 'receipts')

const BILL = 'https://pay.example.com/bill/8d7e3a2b1c0d9e8f5b1f0c9be2a94c6f'

const LETTERS: Readonly<Record<string, Letter>> = {
  charge: transactionLetter(toldTransaction({ meta: SALE })),
  refund: transactionLetter(
    toldTransaction(
      { type: 'refund', total: 5_000n, createdAt: new Date('2026-03-12T14:20:00Z') },
      { parent: PARENT },
    ),
  ),
  void: transactionLetter(
    toldTransaction({ isVoided: true }, { mode: 'sandbox', team: { name: 'Demo', email: null } }),
  ),
  invoice: invoiceLetter(toldInvoice({ meta: SALE }), 'to pay', BILL),
  'failed-payment': invoiceLetter(
    toldInvoice(
      { status: 'ATTEMPTED', payBy: null, retryAt: new Date('2026-03-08T20:04:00Z') },
      {
        paymentMethod: toldTransaction().transaction.paymentMethod,
      },
    ),
    'failed',
    BILL,
  ),
  'disabled-endpoint': webhookLetter(toldWebhook(), new Date('2026-03-07T20:04:00Z')),
}

const SCREENS = {
  desk: { width: 640, sharpness: 1 },
  phone: { width: 390, sharpness: 1.5 },
} as const

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
await mkdir(FOLDER, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  for (const [name, letter] of Object.entries(LETTERS)) {
    const html = await htmlOf(letter)
    for (const screen of ['desk', 'phone'] as const) await picture(browser, name, html, screen)
  }
} finally {
  await browser.close()
}

/** By day and by night beside each other. */
async function picture(
  from: Browser,
  name: string,
  html: string,
  screen: keyof typeof SCREENS,
): Promise<void> {
  const day = await halfOf(from, html, screen, 'light')
  const png = sideBySide(day, await halfOf(from, html, screen, 'dark'))
  const path = join(FOLDER, `${name}-${screen}.png`)
  await writeFile(path, png)
  console.log(`${path} ${Math.round(png.length / 1024)} kB`)
}

async function halfOf(
  from: Browser,
  html: string,
  screen: keyof typeof SCREENS,
  colorScheme: 'light' | 'dark',
): Promise<Buffer> {
  const { width, sharpness: deviceScaleFactor } = SCREENS[screen]
  const viewport = { width, height: 100 }
  const page = await from.newPage({ colorScheme, viewport, deviceScaleFactor })
  await page.setContent(html)
  const png = await page.screenshot({ fullPage: true })
  await page.close()
  return png
}
