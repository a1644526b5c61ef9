// The largest amounts and the longest texts on payers' pages, in several languages, on a small
// phone and on a desktop.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, openBrowser, serveService, type TestBrowser } from '../support/browser.ts'
import { brokenAmounts, tooWide } from '../support/extremes.ts'
import { MANY_PAYERS, newBill, newLink, payAt } from '../support/pages.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const MOST = 99_999_999.99

const LONG = 'W'.repeat(100)

describe.skipIf(!hasChromium)('the largest amount', { timeout: 120_000 }, () => {
  let service: TestService
  let merchant: Merchant
  let browser: TestBrowser
  let origin: string

  beforeAll(async () => {
    service = await openTestService({ timings: MANY_PAYERS })
    merchant = await service.merchant()
    browser = await openBrowser()
    origin = await serveService(service)
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  async function paths(): Promise<readonly string[]> {
    const meta = {
      memo: LONG,
      poNumber: LONG,
      lineItems: [{ item: LONG, details: LONG, quantity: 1, price: MOST }],
    }
    const body = { common_name: LONG, amount: MOST, link_meta: { memo: LONG } }
    const link = await newLink(service, merchant, body)
    const bill = await newBill(service, merchant, { total: MOST, meta })
    const paid = await payAt(service, link, { name: LONG, amount: '99999999.99' })
    expect(paid.status).toBe(200)
    return [link, bill.path, new URL(String(paid.body.url), origin).pathname]
  }

  it('stays in one piece and inside the page, in every language', async () => {
    const wrong: object[] = []
    let amounts = 0
    const opened = await paths()
    for (const language of ['en-US', 'de-DE', 'fr-CA', 'ar', 'ja', 'en-IN']) {
      const page = await browser.open(origin)
      await page.setExtraHTTPHeaders({ 'accept-language': language })
      for (const path of opened) {
        await page.goto(path)
        for (const width of [320, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          const { count, broken } = await brokenAmounts(page)
          amounts += count
          const wide = await tooWide(page)
          if (broken.length + wide.length > 0) wrong.push({ language, width, path, broken, wide })
        }
      }
    }
    expect(wrong).toEqual([])
    // Otherwise the test has looked at nothing.
    expect(amounts).toBeGreaterThan(36)
  })

  it.each(['en', 'es', 'fr'])(
    'leaves a card number in one piece on a phone, in %s',
    async (language) => {
      const page = await browser.open(origin)
      await page.setViewportSize({ width: 320, height: 640 })
      await page.goto(`${await newLink(service, merchant)}?lang=${language}`)
      await page.locator('#number').pressSequentially('378282246310005')
      expect(await page.locator('#brand').innerText()).toBe('American Express')
      const hidden = (input: HTMLInputElement) => input.scrollWidth - input.clientWidth
      expect(await page.locator('#number').evaluate(hidden)).toBe(0)
      await page.locator('#number').fill('')
      await page.locator('#number').pressSequentially('6011000000000000127')
      expect(await page.locator('#number').evaluate(hidden)).toBe(0)
      const [words, brand] = await Promise.all([
        rangeOf(page, 'label[for=number]'),
        rangeOf(page, '#brand'),
      ])
      expect(words.right).toBeLessThan(brand.left)
    },
  )
})

/** From where to where the text of an element reaches. */
function rangeOf(page: Page, selector: string): Promise<DOMRect> {
  return page.locator(selector).evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getBoundingClientRect().toJSON()
  })
}
