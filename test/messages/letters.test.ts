// How e-mails read, whatever merchants and customers have written into their fields.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { letterHtml, preheaderOf } from '../../src/messages/html-of.ts'
import { invoiceLetter } from '../../src/messages/invoice-letter.ts'
import { billWordsOf } from '../../src/messages/invoice-words.ts'
import type { Letter } from '../../src/messages/letter.ts'
import { COLUMNS, plainOf } from '../../src/messages/plain-of.ts'
import { shortText } from '../../src/messages/sms-channel.ts'
import { DARK, LIGHT, type Palette } from '../../src/messages/templates/styles.ts'
import { transactionLetter } from '../../src/messages/transaction-letter.ts'
import { transactionWords } from '../../src/messages/transaction-words.ts'
import { webhookLetter } from '../../src/messages/webhook-letter.ts'
import {
  PARENT,
  SALE,
  sampleInvoice,
  sampleTransaction,
  sampleWebhook,
} from '../support/letter-samples.ts'

const OPT_OUT = 'https://pay.example.com/unsubscribe/8d7e3a2b1c0d9e8f5b1f0c9be2a94c6f'

const BILL = 'https://pay.example.com/bill/8d7e3a2b1c0d9e8f5b1f0c9be2a94c6f'
const NOW = new Date('2026-03-07T20:04:00.000Z')

/** Gmail cuts a longer message off. */
const CLIPPED_AT = 102_000

const charge = (meta: unknown) => transactionLetter(sampleTransaction({ meta: meta as object }))

const LETTERS: readonly (readonly [string, Letter])[] = [
  ['a charge', charge(SALE)],
  ['a charge of a sandbox', transactionLetter(sampleTransaction({}, { mode: 'sandbox' }))],
  ['a charge refunded in part', transactionLetter(sampleTransaction({ refunded: 500n }))],
  ['an authorization', transactionLetter(sampleTransaction({ type: 'pre_auth', captured: 0n }))],
  ['a capture', transactionLetter(sampleTransaction({ type: 'capture' }, { parent: PARENT }))],
  ['a refund', transactionLetter(sampleTransaction({ type: 'refund' }, { parent: PARENT }))],
  ['a void', transactionLetter(sampleTransaction({ type: 'void' }, { parent: PARENT }))],
  ['a credit', transactionLetter(sampleTransaction({ type: 'credit', method: 'cash' }))],
  ['one under way', transactionLetter(sampleTransaction({ status: 'PENDING' }))],
  ['one that failed', transactionLetter(sampleTransaction({ status: 'FAILED' }))],
  ['an invoice', invoiceLetter(sampleInvoice({ meta: SALE }), 'to pay', BILL)],
  ['a scheduled bill', invoiceLetter(sampleInvoice({ meta: SALE }), 'to pay', BILL, OPT_OUT)],
  ['one paid in part', invoiceLetter(sampleInvoice({ totalPaid: 100n }), 'to pay', BILL)],
  ['one whose payment failed', invoiceLetter(sampleInvoice({ retryAt: NOW }), 'failed', BILL)],
  ['one being paid', invoiceLetter(sampleInvoice(), 'under way', BILL)],
  ['one that is paid', invoiceLetter(sampleInvoice({ paidAt: NOW }), 'paid', BILL)],
  ['a disabled endpoint', webhookLetter(sampleWebhook(), NOW)],
]

describe.each(LETTERS)('the e-mail about %s', (_name, letter) => {
  it('says the same as HTML and as text, with all facts', async () => {
    const said = factsIn(letter)
    const html = readable(await letterHtml(letter))
    const text = plainOf(letter).replace(/\s+/g, ' ')
    expect(said.filter((one) => !html.includes(one))).toEqual([])
    expect(said.filter((one) => !text.includes(one))).toEqual([])
  })

  it('fetches nothing, runs nothing, and links only to us', async () => {
    const html = await letterHtml(letter)
    expect(html).not.toMatch(/<(?:script|img|link|iframe|object|form|video|svg)\b|@import|url\(/i)
    const links = [...html.matchAll(/(?:href|src|action|background)="([^"]*)"/g)].map(
      ([, to]) => to,
    )
    expect(links.filter((to) => !to?.startsWith('https://pay.example.com/'))).toEqual([])
    expect(links.length > 0).toBe(letter.button !== undefined)
  })

  it('is accessible without sight, and readable in the dark', async () => {
    const html = await letterHtml(letter)
    expect(html).toMatch(/<html [^>]*lang="en"/)
    expect(html.match(/<h1\b/g)).toHaveLength(1)
    expect(html).toMatch(/<meta name="color-scheme" content="light dark"/)
    expect(html).toContain('@media (prefers-color-scheme: dark)')
    const tables = [...html.matchAll(/<table\b[^>]*>(?:<tbody>)?<tr[^>]*><(\w+)([^>]*)/g)]
    const laidOut = tables.filter(([table]) => table.includes('role="presentation"'))
    const data = tables.filter(([table]) => !table.includes('role="presentation"'))
    expect(laidOut.length).toBeGreaterThan(0)
    expect(data.map(([, cell, rest]) => `${cell}${/ scope="\w+"/.exec(rest ?? '')}`)).toEqual(
      data.map(() => expect.stringMatching(/^th scope="(?:col|row)"$/)),
    )
  })

  it('has nothing left of the template, and no empty value', async () => {
    const whole = `${await letterHtml(letter)} ${plainOf(letter)} ${letter.subject}`
    expect(whole).not.toMatch(/\{\{|\}\}|\bmj-\w+>|undefined|NaN|\[object|\bnull\b/)
  })

  it('is small, and keeps within its columns', async () => {
    expect(Buffer.byteLength(await letterHtml(letter))).toBeLessThan(CLIPPED_AT / 4)
    expect(letter.subject.length).toBeLessThan(100)
    const wide = plainOf(letter)
      .split('\n')
      .filter((line) => line.length > COLUMNS && !line.includes('https://'))
    expect(wide).toEqual([])
  })
})

describe('text from merchants and customers', () => {
  const HOSTILE = [
    `<script>alert(1)</script>`,
    `"><img src=x onerror='x'>`,
    `{{sender}} {{{sender}}} {{#items}}`,
    `<!-- & &amp; &lt; -->`,
    `</td></table>`,
    `%0d%0aBcc: a@b.example`,
    `$& $1 \\n`,
  ]

  it.each(HOSTILE)('appears as it was written: %s', async (words) => {
    const letter = transactionLetter(
      sampleTransaction(
        {
          message: words,
          customer: { ...sampleTransaction().transaction.customer, firstname: words },
          meta: {
            memo: words,
            reference: words,
            lineItems: [{ item: words, details: words, price: 1 }],
          },
        },
        { team: { name: words, email: null } },
      ),
    )
    const html = await letterHtml(letter)
    const times = (text: string) => text.split(words).length - 1
    expect(times(readable(html))).toBeGreaterThanOrEqual(7)
    expect(times(plainOf(letter))).toBeGreaterThanOrEqual(7)
    expect(html).not.toMatch(/<script|<img|onerror='/)
    expect(letter.subject).toContain(words)
  })

  it('never splits a header into two lines', () => {
    const name = 'Wick\r\nBcc: a@b.example\u2028\u0000\u0085x'
    const { subject } = transactionLetter(sampleTransaction({}, { team: { name, email: null } }))
    expect(subject).toBe('Receipt for $212.40 from Wick Bcc: a@b.example x')
  })

  it('is shortened in the subject, between characters, and after the amount', () => {
    const name = '👩‍👩‍👧‍👦'.repeat(50)
    const { subject } = transactionLetter(sampleTransaction({}, { team: { name, email: null } }))
    expect(subject).toMatch(/^Receipt for \$212\.40 from (?:👩‍👩‍👧‍👦)+…$/u)
    expect(subject.length).toBeLessThan(100)
  })

  it('is isolated if it is written from right to left', async () => {
    const item = 'مصباح 12'
    const letter = charge({ lineItems: [{ item, quantity: 3, price: 4 }] })
    expect(plainOf(letter)).toMatch(/^\u2068مصباح 12\u2069 {50,}\$12\.00$/m)
    expect(await letterHtml(letter)).toContain(`<bdi>\u2068${item}\u2069</bdi>`)
    expect(plainOf(charge({ memo: 'from left to right' }))).not.toMatch(/[\u2066-\u2069]/)
  })

  it('does not reverse the text beside it', async () => {
    const letter = charge({ memo: '\u202E00.001$\u2069\u2066' })
    expect(`${await letterHtml(letter)}${plainOf(letter)}`).not.toMatch(
      /[\u202A-\u202E\u2066-\u2069]/,
    )
    expect(plainOf(letter)).toContain('00.001$')
  })

  it('keeps its emoji', async () => {
    const letter = charge({ memo: '🕯️ lit 👍🏽' })
    expect(await letterHtml(letter)).toContain('🕯️ lit 👍🏽')
    expect(plainOf(letter)).toContain('🕯️ lit 👍🏽')
  })

  it('of any type is shown, or left out', async () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('12.5', '-3', '1e9', 'NaN', '0x10', '', ' ', '9'.repeat(400), '$1,234.50'),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    )
    const line = fc.record({ item: value, details: value, quantity: value, price: value })
    const meta = fc.record({
      subtotal: value,
      tax: value,
      shippingAmount: value,
      poNumber: value,
      memo: value,
      reference: value,
      lineItems: fc.oneof(value, fc.array(fc.oneof(line, value), { maxLength: 4 })),
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(meta, value), async (wild) => {
        const letter = charge(wild)
        const amounts = [...letter.items.map(({ amount = '$0.00' }) => amount), ...letter.sums]
        for (const one of amounts) {
          const amount = typeof one === 'string' ? one : one.value
          expect(amount).toMatch(/^-?\$[\d,]+\.\d{2,8}$/)
        }
        const written = JSON.stringify(wild) ?? ''
        const whole = plainOf(letter)
        for (const word of ['NaN', '[object', 'undefined', 'Infinity']) {
          expect(whole.includes(word) && !written.includes(word)).toBe(false)
        }
        await letterHtml(letter)
      }),
      { numRuns: 150 },
    )
  })

  it('is shown to the last line of the largest meta', async () => {
    const lineItems = Array.from({ length: 560 }, (_, i) => ({ item: `n${i}`, price: i }))
    const meta = { lineItems }
    expect(JSON.stringify(meta).length).toBeLessThan(16 * 1024)
    const letter = charge(meta)
    expect(letter.items).toHaveLength(lineItems.length)
    expect(await letterHtml(letter)).toContain('n559')
    expect(plainOf(letter)).toMatch(/^n559 +\$559\.00$/m)
  })

  it('of sixty lines is not cut off', async () => {
    const line = { item: 'A lamp of brass', details: 'With a shade', quantity: 2, price: 12.5 }
    const html = await letterHtml(charge({ ...SALE, lineItems: Array(60).fill(line) }))
    expect(Buffer.byteLength(html)).toBeLessThan(CLIPPED_AT)
  })
})

describe('the e-mail about an endpoint that answered that it is gone', () => {
  it('asks about the deliveries in progress only, since earlier ones were taken', () => {
    const { commands, facts } = webhookLetter(sampleWebhook({ failingSince: null }), NOW)
    expect(commands[1]).toMatch(/\{"since":"2026-03-07T19:04:00\.000Z"\}$/)
    expect(facts.map(({ label }) => label)).not.toContain('Failing since')
  })
})

describe('the page about receipts', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/receipts.md'), 'utf8')

  it('shows a receipt as it is sent', () => {
    expect(page).toContain(`\n${plainOf(charge(SALE))}\``)
  })

  it('shows text messages as they are sent', () => {
    const samples = [
      sampleTransaction(),
      sampleTransaction({ type: 'refund', total: 5_000n }, { parent: PARENT }),
      sampleTransaction({ isVoided: true }, { mode: 'sandbox' }),
    ]
    const texts = samples.map((one) => shortText(one, transactionWords(one).short))
    const invoice = sampleInvoice()
    texts.push(shortText(invoice, `${billWordsOf(invoice, 'to pay').short} ${BILL}`))
    expect(texts.filter((text) => !page.includes(`\n${text}\n`))).toEqual([])
  })
})

describe('the preview line that a list shows beside the subject', () => {
  it('has the important facts, and first of all that it is a test', () => {
    const said =
      'Payment received: $212.40. Paid on Mar 7, 2026 with Visa ending in 1111. Thank you.'
    expect(preheaderOf(charge({}))).toBe(said)
    const test = transactionLetter(sampleTransaction({}, { mode: 'sandbox' }))
    expect(preheaderOf(test)).toBe(`This is a test: no money has moved. ${said}`)
  })
})

describe('the palette', () => {
  it.each([
    ['by day', LIGHT],
    ['by night', DARK],
  ])('is readable %s', (_when, { ink, quiet, card, tint, paper }: Palette) => {
    for (const ground of [card, tint, paper]) {
      expect(contrast(ink, ground)).toBeGreaterThan(7)
      expect(contrast(quiet, ground)).toBeGreaterThan(4.5)
    }
  })
})

function factsIn(letter: Letter): readonly string[] {
  const { testNote, sender, title, amount, lead, button, closing, commands } = letter
  return [
    ...[testNote, sender, title, amount, lead, button?.label, button?.url.slice('https://'.length)],
    ...letter.items.flatMap(({ name, details, amount: price }) => [name, details, price]),
    ...[...letter.sums, ...letter.facts].flatMap(({ label, value }) => [label, value]),
    ...closing,
    letter.optOut?.label,
    ...commands,
  ].flatMap((one) => (one === undefined ? [] : [one.replace(/\s+/g, ' ')]))
}

/** The visible text, on one line. */
function readable(html: string): string {
  const body = html.slice(html.indexOf('<body'))
  const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  return body
    .replace(/<!--\[if[\s\S]*?<!\[endif\]-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (one) => entities[one as keyof typeof entities])
    .replace(/\s+/g, ' ')
}

function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

/** The relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
