// The parts of messages: amounts, times, names, and their length.

import { describe, expect, it } from 'vitest'
import { type DueTime, readDueTime } from '../../src/invoices/read-due-time.ts'
import { extentOf } from '../../src/messages/gsm7.ts'
import { billWordsOf } from '../../src/messages/invoice-words.ts'
import {
  dueDayOf,
  figureOf,
  figureText,
  localDateText,
  localMomentText,
  localMoneyText,
  productText,
  quantityText,
} from '../../src/messages/local-formats.ts'
import { customerName, meansText, shortMeansText } from '../../src/messages/people.ts'
import { alignedRight, indented, wrapped } from '../../src/messages/plain-of.ts'
import { shortened } from '../../src/messages/shown.ts'
import { shortText } from '../../src/messages/sms-channel.ts'
import { LETTER_EN } from '../../src/messages/texts/letter-en.ts'
import { transactionWords } from '../../src/messages/transaction-words.ts'
import { transliterated } from '../../src/messages/transliterated.ts'
import { PARENT, sampleInvoice, sampleTransaction } from '../support/letter-samples.ts'
import { expectOneSegment } from '../support/one-segment.ts'

describe('an amount', () => {
  it.each([
    [1n, 'USD', '$0.01'],
    [123_456_789n, 'USD', '$1,234,567.89'],
    [9_999_999_999n, 'USD', '$99,999,999.99'],
    [-250n, 'USD', '-$2.50'],
    [1250n, 'CAD', 'CA$12.50'],
  ])('of %s cents (%s) is %s', (cents, currency, text) => {
    expect(localMoneyText(cents, currency, 'en-US')).toBe(text)
  })

  it.each([
    [12.5, '$12.50'],
    ['12.50', '$12.50'],
    [' $1,234.5 ', '$1,234.50'],
    [0.1 + 0.2, '$0.30'],
    [0.125, '$0.125'],
    [0, '$0.00'],
    [-5, '-$5.00'],
  ])("from a merchant's %j is %s", (value, text) => {
    expect(figureText(figureOf(value) ?? -1n, 'USD', 'en-US')).toBe(text)
  })

  it.each([
    null,
    undefined,
    true,
    '',
    'free',
    '1.23456',
    0.00005,
    '0,125',
    '1,25,000',
    '12,50',
    '1e3',
    {},
    [],
    [1],
    1e30,
    Number.NaN,
  ])("does not exist for a merchant's %j", (value) => {
    expect(figureOf(value)).toBeUndefined()
  })

  it.each([
    ['3', '0.1', '$0.30'],
    ['0.333', '0.125', '$0.041625'],
    ['-1', '5', '-$5.00'],
  ])('for %s at %s is %s, to the last digit', (quantity, price, text) => {
    const [count, each] = [figureOf(quantity) ?? 0n, figureOf(price) ?? 0n]
    expect(productText(count, each, 'USD', 'en-US')).toBe(text)
  })

  it('counts items by the piece and by the pound', () => {
    const texts = [4n * 10_000n, 12_500n].map((quantity) => quantityText(quantity, 'en-US'))
    expect(texts).toEqual(['4', '1.25'])
  })
})

describe('a time', () => {
  it.each([
    ['2026-03-08T06:59:00Z', 'America/New_York', 'Sun, Mar 8, 2026, 1:59 AM EST'],
    ['2026-03-08T07:00:00Z', 'America/New_York', 'Sun, Mar 8, 2026, 3:00 AM EDT'],
    ['2026-11-01T05:30:00Z', 'America/New_York', 'Sun, Nov 1, 2026, 1:30 AM EDT'],
    ['2026-11-01T06:30:00Z', 'America/New_York', 'Sun, Nov 1, 2026, 1:30 AM EST'],
    ['2026-07-01T00:00:00Z', 'America/Phoenix', 'Tue, Jun 30, 2026, 5:00 PM MST'],
    ['2026-01-01T00:00:00Z', 'Pacific/Honolulu', 'Wed, Dec 31, 2025, 2:00 PM HST'],
    ['2026-01-01T05:00:00Z', 'UTC', 'Thu, Jan 1, 2026, 5:00 AM UTC'],
    ['2026-01-01T00:00:00Z', 'Asia/Kolkata', 'Thu, Jan 1, 2026, 5:30 AM GMT+5:30'],
  ])('%s in %s is %s', (at, zone, text) => {
    expect(localMomentText(new Date(at), zone, 'en-US')).toBe(text)
  })

  it.each([
    ['2026-04-01', 'Apr 1, 2026'],
    ['2026-04-01 00:00:00', 'Apr 1, 2026'],
    ['2026-04-01T00:00:00Z', 'Mar 31, 2026'],
    ['2026-03-31T20:00:00-04:00', 'Mar 31, 2026'],
    ['2026-04-01T03:59:59Z', 'Mar 31, 2026'],
    ['2026-04-01T04:00:00Z', 'Apr 1, 2026'],
  ])('by which to pay, %s, is the intended day: %s', (at, text) => {
    expect(dayText(readDueTime(at) ?? neverDue)).toBe(text)
  })

  it('by which to pay is a date, in a row of an earlier version', () => {
    const payBy = new Date('2026-04-01T00:00:00Z')
    expect(dayText({ payBy, isPayByExact: null })).toBe('Apr 1, 2026')
    expect(dayText(neverDue)).toBe(undefined)
  })

  it('by which a schedule’s bill is to be paid is that of its run', () => {
    const runDay = new Date('2026-01-17T00:00:00Z')
    const due = { payBy: new Date('2026-01-18T00:00:00Z'), isPayByExact: null }
    expect(dayText(due, runDay)).toBe('Jan 17, 2026')
  })
})

const neverDue: DueTime = { payBy: null, isPayByExact: null }

function dayText(due: DueTime, runDay: Date | null = null): string | undefined {
  const day = dueDayOf(due, runDay, 'America/New_York')
  return day && localDateText(day.at, day.zone, 'en-US')
}

describe('a name', () => {
  const unnamed = { firstname: null, lastname: null, company: null, email: null }

  it.each([
    [{ firstname: 'Ada', lastname: 'Lovelace' }, 'Ada Lovelace'],
    [{ firstname: 'Ada', company: 'Engines' }, 'Ada, Engines'],
    [{ lastname: ' ', company: 'Engines' }, 'Engines'],
    [{ email: 'ada@example.com' }, 'ada@example.com'],
    // No mail program makes a link of it.
    [{ company: 'a@evil.example 10.0' }, 'a@evil.\u200Cexample 10.\u200C0'],
    [{ firstname: 'J. R.', lastname: 'St. John Jr.' }, 'J. R. St. John Jr.'],
    [{}, ''],
  ])('of %j is "%s"', (known, text) => {
    expect(customerName({ ...unnamed, ...known })).toBe(text)
  })

  it.each([
    [
      'card',
      'american-express',
      '0005',
      'American Express ending in 0005',
      'American Express 0005',
    ],
    ['card', 'of-tomorrow', null, 'Card', 'Card'],
    ['card', 'visa', '4111111111111111', 'Visa', 'Visa'],
    ['bank', null, '3210', 'Bank account ending in 3210', 'Bank account 3210'],
    ['cash', null, null, 'Cash', 'Cash'],
  ] as const)('of a %s %s %s is "%s"', (method, cardType, lastFour, text, short) => {
    expect(meansText({ method, cardType, lastFour }, LETTER_EN)).toBe(text)
    expect(shortMeansText({ method, cardType, lastFour }, LETTER_EN)).toBe(short)
  })

  it('is shortened between characters', () => {
    expect(shortened('Wick & Ember Lighting', 12)).toBe('Wick & Embe…')
    expect(shortened('Wick & Ember Lighting', 21)).toBe('Wick & Ember Lighting')
    expect(shortened('ae\u0301e\u0301e\u0301', 4, '')).toBe('ae\u0301')
    expect(shortened('👍🏽👍🏽', 7)).toBe('👍🏽…')
  })
})

describe('columns', () => {
  it('break between words, and within a word only if no line holds it', () => {
    expect(wrapped('one two three four', 9)).toBe('one two\nthree\nfour')
    expect(wrapped('abcdefghij', 4)).toBe('abcd\nefgh\nij')
    expect(indented('one two three', 2, 9)).toBe('  one two\n  three')
  })

  it('align amounts right', () => {
    expect(alignedRight('lamp', '$1.00', 20)).toBe('lamp           $1.00')
    expect(alignedRight('a lamp of brass', '$1.00', 20)).toBe('a lamp of\nbrass          $1.00')
    expect(alignedRight('\u2068abc\u2069', '$1', 8)).toBe('\u2068abc\u2069   $1')
  })
})

describe('the units of a text message', () => {
  it.each([
    ['', 'GSM-7', 0],
    ['a'.repeat(161), 'GSM-7', 161],
    ['é£Ω\n@', 'GSM-7', 5],
    ['€'.repeat(80), 'GSM-7', 160],
    ['{[~]}\\^|€\f', 'GSM-7', 20],
    ['a`', 'UCS-2', 2],
    ['ç', 'UCS-2', 1],
    ['я'.repeat(71), 'UCS-2', 71],
    ['👍'.repeat(35), 'UCS-2', 70],
  ] as const)('by %j are %s, %i', (text, encoding, units) => {
    expect(extentOf(text)).toEqual({ encoding, units })
  })

  it.each([
    ['“Wick” – Ember’s…', '"Wick" - Ember\'s...'],
    ['Café Ñandú', 'Café Ñandu'],
    ['Łódź', 'Lodz'],
    ['garçon', 'garcon'],
    ['Lamp™ ½ ﬁn', 'Lamp(TM) 1/2 fin'],
    ['Lamps 🕯️👍🏽 Co', 'Lamps Co'],
    ['👍', '👍'],
    ['a\u00A0b\u200Bc', 'a bc'],
    ['مصباح', 'مصباح'],
    ['灯', '灯'],
    ['Ünïcödé & Co.', 'Ünicödé & Co.'],
  ])('are saved by writing %j as %j', (text, written) => {
    expect(transliterated(text)).toBe(written)
  })
})

describe('a text message', () => {
  const ALL = [
    ['a charge', {}, {}],
    ['a charge refunded in part', { refunded: 500n }, {}],
    ['a charge that was voided', { isVoided: true }, {}],
    ['an authorization', { type: 'pre_auth', captured: 0n }, {}],
    ['an authorization in part taken', { type: 'pre_auth', captured: 5n }, {}],
    ['a void', { type: 'void' }, { parent: PARENT }],
    ['a void of an authorization', { type: 'void' }, { parent: { ...PARENT, type: 'pre_auth' } }],
    ['a refund', { type: 'refund', total: 999_999_999_00n }, { parent: PARENT }],
    [
      'a refund that failed later',
      { type: 'refund', total: 999_999_999_00n },
      { parent: PARENT, failedLater: true },
    ],
    ['a credit by check', { type: 'credit', method: 'check' }, {}],
    ['one that failed', { status: 'FAILED' }, {}],
    ['one under way', { status: 'PENDING' }, {}],
  ] as const

  it.each(ALL)("about %s has one segment, whatever the team's name", (_name, row, others) => {
    const names = ['Wick', 'The “Wick & Ember” Lighting Company of Lower Manhattan – Lamps™', '🕯️']
    for (const name of names) {
      const sample = sampleTransaction(row, {
        mode: 'sandbox',
        ...others,
        team: { name, email: null },
      })
      const text = shortText(sample, transactionWords(sample).short)
      expect(text).toMatch(/^TEST, no money moves\. .+\$[\d,]+\.\d\d.+ Ref 6A1YABW0000Q$/)
      expect(text).not.toMatch(/undefined|null|\.\.$| {2}/)
      if (name !== '🕯️') expectOneSegment(text)
    }
  })

  it('about a bill has one segment too, in a test as well', () => {
    const name = 'The “Wick & Ember” Lighting Company'
    const others = { mode: 'sandbox', team: { name, email: null } } as const
    const { paymentMethod } = sampleTransaction().transaction
    const sample = sampleInvoice({}, { ...others, paymentMethod })
    for (const story of ['to pay', 'failed', 'paid', 'returned', 'under way'] as const) {
      const said = `${billWordsOf(sample, story).short} https://pay.example.com/bill/${'0'.repeat(32)}`
      const text = shortText(sample, said)
      expect(text).toMatch(/^TEST, no money moves\. The "Wick.*: .*\$212\.40.* https:\S+$/)
      expectOneSegment(text)
    }
  })

  it('keeps as much of a name as fits', () => {
    const name = 'Wick & Ember Lighting Company of Lower Manhattan'
    const sample = sampleTransaction({}, { team: { name, email: null } })
    const said = (length: number) => shortText(sample, 'x'.repeat(length)).replace(/x+$/, '')
    expect(said(110)).toBe(`${name}: `)
    expect(said(111)).toBe('Wick & Ember Lighting Company of Lower Manha...: ')
    expect(said(130)).toBe('Wick & Ember Lighting Com...: ')
    expect(said(300)).toBe('Wick & Em...: ')
  })

  it('keeps a name in another script, and the text beside it in its place', () => {
    const sample = sampleTransaction({}, { team: { name: 'مصباح', email: null } })
    expect(shortText(sample, '$5.00 paid')).toBe('\u2068مصباح\u2069: $5.00 paid')
  })
})
