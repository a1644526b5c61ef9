// In a real browser, a payer reads another language than English: the page fits, its script uses
// the same language, and so do all pages of the payment.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEXTS } from '../../src/pages/texts/texts.ts'
import {
  faultsInEachLook,
  hasChromium,
  openBrowser,
  serveService,
  type TestBrowser,
} from '../support/browser.ts'
import { MANY_PAYERS, newBill, newLink } from '../support/pages.ts'
import {
  GOOD_CARD,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const START_MS = 60_000

describe.skipIf(!hasChromium)('a payer of another language', { timeout: START_MS }, () => {
  let service: TestService
  let merchant: Merchant
  let browser: TestBrowser
  let origin: string

  beforeAll(async () => {
    service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS })
    merchant = await service.merchant()
    browser = await openBrowser()
    origin = await serveService(service)
  }, START_MS)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  it.each(['es', 'fr'] as const)('pays in %s on a phone', async (language) => {
    const { script, form, outcome, receipt } = TEXTS[language]
    const path = await newLink(service, merchant, { amount: null })
    const page = await browser.open(origin, { size: 'phone' })
    const fits = async () => expect(await faultsInEachLook(page)).toEqual([])
    await page.goto(path)
    await page.locator(`nav a[lang=${language}]`).click()
    await page.waitForURL(/lang=/)
    await fits()
    await page.locator('#send').click()
    expect(await page.locator('#amount-fault').innerText()).toBe(script.amountWrong)
    expect(await page.locator('#name-fault').innerText()).toBe(script.cardNameMissing)
    await fits()
    await page.locator('#amount').fill('12,5')
    const amount = language === 'fr' ? '12,50 $US' : '$12.50'
    const button = (await page.locator('#send').innerText()).replaceAll('\u00a0', ' ')
    expect(button).toBe(form.payAmount(amount))
    await page.getByLabel(form.number).pressSequentially(GOOD_CARD)
    await page.getByLabel(form.expires).pressSequentially('1239')
    await page.getByLabel(form.code).fill('123')
    await page.getByLabel(form.name).fill('Grace Hopper')
    await page.locator('#send').click()
    await page.waitForURL(new RegExp(`/[0-9a-f]{32}/[0-9a-f]{32}\\?lang=${language}$`))
    expect(await page.locator('h1').innerText()).toBe(outcome.approved)
    await fits()
    await page.locator('#receipt-email').fill('grace@example.com')
    await page.getByRole('button', { name: receipt.send }).click()
    await page.getByText(receipt.sent).waitFor()
    await fits()
    expect(page.faults()).toEqual([])
  })

  it('has a bill that fits in each language, light and dark', async () => {
    const meta = { tax: 1, poNumber: 'PO-4711', lineItems: [{ item: 'Beans', price: 9 }] }
    const { path } = await newBill(service, merchant, { meta, due_at: '2026-12-24' })
    const page = await browser.open(origin, { size: 'phone' })
    for (const language of ['es', 'fr']) {
      await page.goto(`${path}?lang=${language}`)
      expect([language, await faultsInEachLook(page)]).toEqual([language, []])
    }
  })
})
