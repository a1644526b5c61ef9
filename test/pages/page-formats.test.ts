// How pages write amounts and dates, and how they read a typed amount.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payerAmount } from '../../src/pages/page-payment-input.ts'
import { viewerOf } from '../../src/pages/viewer.ts'
import { newBill, newLink, openPage } from '../support/pages.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('a typed amount', () => {
  it.each([
    ['12.50', 1250n],
    ['12,50', 1250n],
    ['12.5', 1250n],
    ['12', 1200n],
    ['$12.50', 1250n],
    [' 12,50 ', 1250n],
    ['012.50', 1250n],
    ['0.01', 1n],
    ['0,01', 1n],
    ['1 250', 125000n],
    ['1,250.00', 125000n],
    ['1.250,00', 125000n],
    ['1 250,00', 125000n],
    ['1’250.00', 125000n],
    ['1,234,567.89', 123456789n],
    ['1 234 567,89', 123456789n],
    ['$ 1 250', 125000n],
    ['1 250 $', 125000n],
    ['12 , 50', 1250n],
    ['99999999.99', 9999999999n],
  ])('%s is read', (text, cents) => {
    expect(payerAmount(text)).toEqual({ cents })
  })

  it.each([
    '',
    '0',
    '0.00',
    '-1',
    'ten',
    '1.2.3',
    '1,2,3',
    '12,5000',
    '1,25.00',
    '12.505',
    '1,250',
    '1.250',
    '1e3',
    '12 50',
    '5 00',
    '1 2 3',
    '12’50',
    '12$50',
    '12 $ 500',
    '1 25 000',
    '1 2500',
  ])('%j is refused', (text) => {
    expect(payerAmount(text)).toEqual({ fault: expect.any(String) })
  })

  it.each(['100000000', '1e99', '9'.repeat(1000)])('%s is handled', (text) => {
    expect(payerAmount(text)).toEqual({ fault: expect.any(String) })
  })
})

describe('the payer’s locale', () => {
  it.each([
    [undefined, 'en-US'],
    ['', 'en-US'],
    ['*', 'en-US'],
    ['en', 'en-US'],
    ['en-GB,en;q=0.9', 'en-GB'],
    ['de-DE,de;q=0.9,en;q=0.8', 'de-DE'],
    ['fr;q=0.5, de-CH;q=0.9', 'fr'],
    ['en;q=0.5, de-CH;q=0.9', 'de-CH'],
    ['es', 'es-US'],
    ['es-MX', 'es-MX'],
    ['fr-CA,en;q=0.5', 'fr-CA'],
    ['de;q=9, fr-CA', 'fr-CA'],
    ['xx-XX, fr', 'fr'],
    ['de;q=0, fr', 'fr'],
    ['../../etc, <script>', 'en-US'],
    ['en-US-u-nu-arab', 'en-US'],
  ])('of %j is %s', (header, locale) => {
    const headers = header === undefined ? {} : { 'accept-language': header }
    expect(viewerOf({ headers, query: {}, method: 'GET' }).locale).toBe(locale)
  })
})

describe('a page', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ backend: 'postgres', queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  it.each([
    ['en-US', '$1,234.50', 'Dec 24, 2026'],
    ['en-GB', 'US$1,234.50', '24 Dec 2026'],
    ['de-DE', '1.234,50\u00a0$', '24. Dez. 2026'],
    ['fr-FR', '1\u202f234,50\u00a0$US', '24 déc. 2026'],
  ])('for %s has the amounts and dates of that locale', async (locale, amount, date) => {
    const meta = { lineItems: [{ item: 'Beans', quantity: 2, price: 617.25 }] }
    const invoice = { total: 1234.5, due_at: '2026-12-24', meta }
    const { path } = await newBill(service, merchant, invoice)
    const { text } = await openPage(service, path, { 'accept-language': locale })
    for (const words of [amount, date]) expect(text).toContain(words)
    const language = locale.startsWith('fr') ? 'fr' : 'en'
    expect(text).toContain(`<!doctype html><html lang="${language}">`)
    expect(text.includes(`lang="${locale}"`)).toBe(locale === 'de-DE')
  })

  it('has dates in the account’s zone', async () => {
    const { path } = await newBill(service, merchant, { due_at: '2026-12-24T03:00:00Z' })
    expect((await openPage(service, path)).text).toContain('Dec 23, 2026')
    const zone = 'UPDATE account SET timezone = $2 WHERE id = $1'
    await service.world.db.query(zone, [merchant.accountId, 'Pacific/Apia'])
    expect((await openPage(service, path)).text).toContain('Dec 24, 2026')
  })

  it('tells a due time of 7 pm Eastern from a date, also when an answer is sent back', async () => {
    const own = await service.merchant()
    const { id, path } = await newBill(service, own, { due_at: '2027-01-15' })
    for (const [due_at, day] of [
      ['2027-01-15T00:00:00.000Z', 'Jan 15, 2027'],
      ['2027-01-20T19:00:00-05:00', 'Jan 20, 2027'],
      ['2027-01-21T00:00:00.000Z', 'Jan 20, 2027'],
      ['2027-01-21 00:00:00', 'Jan 20, 2027'],
      ['2027-01-21', 'Jan 21, 2027'],
    ] as const) {
      const { status } = await call(service.app, 'PUT', `/invoice/${id}`, own.headers, { due_at })
      expect([status, (await openPage(service, path)).text]).toEqual([
        200,
        expect.stringContaining(day),
      ])
    }
  })

  it('takes an amount from the address if the payer may type it', async () => {
    const path = await newLink(service, merchant, { amount: null })
    expect((await openPage(service, `${path}?amount=12,50`)).text).toContain('value="12,50"')
    expect((await openPage(service, `${path}?amount=%22xyz`)).text).not.toContain('xyz')
  })
})
