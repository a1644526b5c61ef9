// The longest values and the largest amounts on every page of the console, on a small phone and on
// a desk: no amount is broken over two lines, and no page is widened or loses a column.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, openBrowser, serveService, type TestBrowser } from '../support/browser.ts'
import { crawl, fillConsole } from '../support/crawl.ts'
import { brokenAmounts, lengthen, tooWide } from '../support/extremes.ts'
import { signIn } from '../support/operator.ts'
import { openShop, type Shop } from '../support/samples.ts'

describe.skipIf(!hasChromium)('the longest values', { timeout: 180_000 }, () => {
  let shop: Shop
  let browser: TestBrowser
  let origin: string

  beforeAll(async () => {
    shop = await openShop()
    browser = await openBrowser()
    origin = await serveService(shop.service)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await shop?.service.close()
  })

  it('break no amount, widen no page and hide no column', async () => {
    await fillConsole(shop)
    await lengthen(shop.service)
    const { cookie } = await signIn(shop.service.world)
    const page = await browser.open(origin, { cookie })
    let amounts = 0
    const wrong: object[] = []
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await crawl('/admin', async (path) => {
        await page.goto(path, { waitUntil: 'load' })
        const { count, broken } = await brokenAmounts(page)
        amounts += count
        const wide = await tooWide(page)
        if (broken.length + wide.length > 0) wrong.push({ width, path, broken, wide })
        return page.evaluate<string[]>(LINKS)
      })
    }
    expect(wrong).toEqual([])
    // Otherwise the test has looked at nothing.
    expect(amounts).toBeGreaterThan(60)
  })
})

const LINKS = `[...document.querySelectorAll('a[href^="/admin"]:not([download])')]
  .map((link) => link.getAttribute('href'))`
