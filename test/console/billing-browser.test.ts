// In a browser, an operator makes a payment link, and makes and sends an invoice, in a few clicks.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axeFaults,
  hasChromium,
  isWiderThanScreen,
  type Look,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { FULL } from '../support/people.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** An address without spaces that is wider than a phone. */
const LONG = `${'long'.repeat(16)}@example.com`

const MOST_BYTES = 120_000

describe.skipIf(!hasChromium)('in a browser', { timeout: 60_000 }, () => {
  let service: TestService
  let browser: TestBrowser
  let origin: string
  let cookie: string
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: ['charge'] })
    origin = await serveService(service)
    browser = await openBrowser()
    cookie = (await signIn(service.world)).cookie
    merchant = await service.merchant()
    await call(service.app, 'POST', '/customer', merchant.headers, { ...FULL, email: LONG })
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  async function expectDecent(page: WatchedPage): Promise<void> {
    expect(await axeFaults(page)).toEqual([])
    expect(await isWiderThanScreen(page)).toBe(false)
    expect((await page.content()).length).toBeLessThan(MOST_BYTES)
    expect(page.faults()).toEqual([])
  }

  async function openPlace(page: WatchedPage, place: string): Promise<void> {
    const menu = page.getByRole('button', { name: 'Menu' })
    if (await menu.isVisible()) await menu.click()
    await page.getByRole('link', { name: place, exact: true }).click()
    await page.locator('h1', { hasText: place }).waitFor()
  }

  const LOOKS: readonly Look[] = [
    { size: 'desk', scheme: 'light' },
    { size: 'phone', scheme: 'dark' },
    { size: 'phone', scheme: 'light', javaScript: false },
  ]

  it.each(LOOKS)('a payment link is made (%j)', async (look) => {
    const page = await browser.open(origin, { ...look, cookie })
    page.on('dialog', (dialog) => void dialog.accept())
    await page.goto('/admin')
    await openPlace(page, 'Payment links')
    await page.getByRole('link', { name: 'New payment link' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Coffee')
    if (look.size === 'desk') await expectDecent(page)
    await page.getByRole('button', { name: 'Create payment link' }).click()
    await page.getByText('The payment link is made.').waitFor()
    expect(await page.getByRole('img', { name: 'QR code of the address' }).isVisible()).toBe(true)
    if (look.javaScript !== false) await expectDecent(page)
    await openPlace(page, 'Payment links')
    if (look.javaScript !== false) await expectDecent(page)
  })

  it.each(LOOKS)('an invoice is made and sent (%j)', async (look) => {
    const page = await browser.open(origin, { ...look, cookie })
    await page.goto('/admin')
    await openPlace(page, 'Invoices')
    await page.getByRole('link', { name: 'New invoice' }).click()
    await page.getByRole('link', { name: 'Ada Lovelace' }).first().click()
    await page.getByLabel('Item 1').fill('Beans')
    await page.getByLabel('Price of one').first().fill('12.50')
    if (look.javaScript !== false) await expectDecent(page)
    await page.getByRole('button', { name: 'Create and send by e-mail' }).click()
    await page.getByText('The invoice is queued for').waitFor()
    if (look.javaScript !== false) await expectDecent(page)
    await openPlace(page, 'Invoices')
    if (look.javaScript !== false) await expectDecent(page)
    await openPlace(page, 'Customers')
    await page.locator('tbody a').first().click()
    await page.getByRole('heading', { name: 'Payment methods' }).waitFor()
    if (look.javaScript !== false) await expectDecent(page)
  })
})
