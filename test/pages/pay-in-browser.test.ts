// In a real browser, payers pay through a link, mistype, are declined, and come too late; and a
// payment that they send twice is made once.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axeFaults,
  faultsInEachLook,
  hasChromium,
  type Look,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { faintStops } from '../support/focus-ring.ts'
import { MANY_PAYERS, newBill, newLink, transactionsOf } from '../support/pages.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import {
  call,
  GOOD_CARD,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const START_MS = 60_000

describe.skipIf(!hasChromium)('a payer', { timeout: START_MS }, () => {
  let service: TestService
  let merchant: Merchant
  let browser: TestBrowser
  let origin: string
  const pages: WatchedPage[] = []
  /** Whether the gateway answers about a payment that it did not decide at once. */
  let knows = true

  beforeAll(async () => {
    service = await openTestService({
      backend: 'postgres',
      timings: MANY_PAYERS,
      withGateway: (gateway) => ({
        ...gateway,
        lookUp: async (...question) =>
          knows ? gateway.lookUp(...question) : { kind: 'undecided', gatewayId: null },
      }),
    })
    browser = await openBrowser()
    origin = await serveService(service)
  }, START_MS)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  /** Opens a page as a merchant's customer does. */
  async function opened(path: string, look: Look = {}): Promise<WatchedPage> {
    const page = await browser.open(origin, look)
    pages.push(page)
    await page.goto(path)
    return page
  }

  const said = (page: Page) => page.locator('h1').innerText()

  async function type(page: Page, card = GOOD_CARD): Promise<void> {
    await page.getByLabel('Card number').pressSequentially(card)
    await page.getByLabel('Expires').pressSequentially('1239')
    await page.getByLabel('Security code').fill('123')
    await page.getByLabel('Name on the card').fill('Grace Hopper')
  }

  async function pay(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.waitForURL(/\/[0-9a-f]{32}\/[0-9a-f]{32}/)
  }

  it('pays through a link on a phone, and the page is right at each step', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const page = await opened(path, { size: 'phone' })
    expect(await faultsInEachLook(page)).toEqual([])
    await type(page)
    expect(await page.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1111')
    expect(await page.getByLabel('Expires').inputValue()).toBe('12 / 39')
    expect(await page.locator('#brand').innerText()).toBe('Visa')
    await pay(page)
    expect(await said(page)).toBe('Paid')
    expect(await faultsInEachLook(page)).toEqual([])
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
  })

  it('types an amount with a comma, and sees its value, and the faults', async () => {
    merchant = await service.merchant()
    const page = await opened(await newLink(service, merchant, { amount: null }))
    const button = page.locator('#send')
    await button.click()
    expect(await page.evaluate('document.activeElement.id')).toBe('amount')
    // A hint is no part of the name, since a screen reader would read it twice.
    const amount = page.getByRole('textbox', { name: 'Amount', exact: true })
    expect(await amount.getAttribute('aria-describedby')).toContain('amount-hint')
    const fault = page.locator('#amount-fault')
    expect(await fault.isVisible()).toBe(true)
    expect(await page.locator('#amount').getAttribute('aria-describedby')).toContain('amount-fault')
    await page.locator('#amount').fill('1.234,5')
    expect([await button.innerText(), await fault.isVisible()]).toEqual(['Pay $1,234.50', false])
    expect(await axeFaults(page)).toEqual([])
    await type(page, '4111111111111112')
    await button.click()
    expect(await page.evaluate('document.activeElement.id')).toBe('number')
    await page.getByLabel('Card number').fill(GOOD_CARD)
    await pay(page)
    expect(await page.locator('.amount').innerText()).toBe('$1,234.50')
  })

  it('sees that they were not charged if the amount has changed meanwhile', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const page = await opened(path)
    await type(page)
    const id = path.split('/').at(-1)
    const change = `/query/payment-links/${id}`
    await call(service.app, 'PUT', change, merchant.headers, { amount: 500 })
    await page.getByRole('button', { name: /^Pay/ }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'The amount has changed.' })
    await alert.waitFor()
    expect(await alert.innerText()).toContain('You were not charged')
    expect(await page.locator('#send').innerText()).toBe('Pay $500.00')
    await page.reload()
    expect(await page.getByText('The amount has changed').count()).toBe(0)
    expect(await transactionsOf(service, merchant)).toHaveLength(0)
  })

  it('is declined, and pays with another card', async () => {
    merchant = await service.merchant()
    const page = await opened(await newLink(service, merchant, { amount: null }))
    await page.locator('#amount').fill('20')
    await type(page, DECLINED_CARD)
    await pay(page)
    expect(await said(page)).toContain('did not go through')
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.locator('#send:enabled').waitFor()
    expect(await page.locator('#amount').inputValue()).toBe('20.00')
    await type(page)
    await pay(page)
    expect(await said(page)).toBe('Paid')
    const made = await transactionsOf(service, merchant)
    expect(made.map(({ status }) => status)).toEqual(['SUCCESS', 'FAILED'])
  })

  it('who has the page of a deleted link open is told so, and not charged', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const page = await opened(path)
    await type(page)
    const url = `/query/payment-links/${path.slice(5)}`
    await call(service.app, 'DELETE', url, merchant.headers)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.getByRole('heading', { name: 'This payment page is gone' }).waitFor()
    expect(await transactionsOf(service, merchant)).toEqual([])
  })

  it('pays a bill once by a double click', async () => {
    merchant = await service.merchant()
    const { path } = await newBill(service, merchant)
    const page = await opened(path)
    await type(page)
    await page.getByRole('button', { name: /^Pay/ }).dblclick()
    await page.waitForURL(/\/bill\/\w{32}\/\w{32}/)
    expect(await said(page)).toBe('Paid')
    await page.goto(path)
    expect(await said(page)).toBe('This invoice is paid')
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
  })

  it('prints the bill and the payment, and nothing else of the page', async () => {
    merchant = await service.merchant()
    const { path } = await newBill(service, merchant)
    const page = await opened(path)
    const onPaper = async () => {
      await page.emulateMedia({ media: 'print' })
      const extras = page.locator('form, button, footer').filter({ visible: true })
      const text = await page.locator('main').innerText()
      const count = await extras.count()
      await page.emulateMedia({ media: 'screen' })
      return { text, count }
    }
    await page.evaluate('window.print = () => { document.title = "printed" }')
    await page.getByRole('button', { name: 'Print or save as PDF' }).click()
    expect(await page.title()).toBe('printed')
    expect(await onPaper()).toEqual({
      text: expect.stringContaining(`Pay at ${origin}${path}`),
      count: 0,
    })
    await type(page)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.waitForURL(/\/bill\/\w{32}\/\w{32}/)
    expect(await onPaper()).toEqual({ text: expect.stringContaining('Receipt no.'), count: 0 })
  })

  it('whose answer is lost pays once, whether the page asks again or is loaded again', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const page = await opened(path)
    let lost = 0
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      lost += 1
      return route.abort('connectionreset')
    })
    await type(page)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await expect.poll(() => lost).toBeGreaterThan(1)
    await page.goto(path)
    await page.waitForURL(/\/pay\/\w{32}\/\w{32}/)
    expect(await said(page)).toBe('Paid')
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
    await page.goto(path)
    await page.locator('#send:enabled').waitFor()
    // The browser's console reports the connections that were cut.
    pages.splice(pages.indexOf(page), 1)
  })

  it('whose connection was lost is told so on the page that is loaded again', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const page = await opened(path)
    let cut = 0
    await page.route(`**${path}`, (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      cut += 1
      return route.abort('connectionfailed')
    })
    await type(page)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await expect.poll(() => cut).toBeGreaterThan(0)
    await page.goto(path)
    await page.getByText('We have no payment from your last attempt.').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('said')
    await page.unroute(`**${path}`)
    await type(page)
    await pay(page)
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
    // The browser's console reports the connections that were cut.
    pages.splice(pages.indexOf(page), 1)
  })

  it('who loads the page again before the outcome sees it, and pays once', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const page = await opened(path)
    let isHeld = true
    await page.route(/\/pay\/\w{32}\/\w{32}$/, async (route) => {
      const isPage = route.request().resourceType() === 'document'
      if (!(isHeld && isPage)) return route.fallback()
      isHeld = false
      await page.waitForTimeout(1_500)
      return route.abort('aborted')
    })
    await type(page)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await expect.poll(() => isHeld).toBe(false)
    await page.goto(path)
    await page.waitForURL(/\/pay\/\w{32}\/\w{32}/)
    expect(await said(page)).toBe('Paid')
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
    await page.goto(path)
    await page.locator('#send:enabled').waitFor()
    pages.splice(pages.indexOf(page), 1)
  })

  it('sees that a payment is in progress, then that it is paid, and is sent on', async () => {
    merchant = await service.merchant()
    const thanks = `${origin}${await newLink(service, merchant)}?thanks=1`
    const link_meta = { successRedirect: thanks }
    const path = await newLink(service, merchant, { amount: 763.64, link_meta })
    const page = await opened(path)
    await type(page)
    knows = false
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.getByRole('heading', { name: 'Payment in progress' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.reload()
    expect(await said(page)).toBe('Payment in progress')
    const nonce = new URL(page.url()).pathname.split('/').at(-1)
    knows = true
    await page.waitForURL(thanks)
    const [made] = await transactionsOf(service, merchant)
    expect([made.status, made.total]).toEqual(['SUCCESS', 763.64])
    // A payer who did not see the outcome may open the link again, though the payment's page
    // redirects.
    await page.goto(path)
    await page.evaluate(
      "localStorage.setItem('lamplighter ' + document.querySelector('main').dataset.subject, NONCE)".replace(
        'NONCE',
        JSON.stringify(nonce),
      ),
    )
    const isOffered = async () => {
      await page.goto(path)
      const wait = page.locator('#send:enabled').waitFor({ timeout: 2_000 })
      return wait.then(() => page.url() === `${origin}${path}`).catch(() => false)
    }
    await expect.poll(isOffered).toBe(true)
  })

  it('whose payment stays open is led back to it for minutes, and may then make another', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant, { amount: 763.63 })
    const page = await opened(path)
    await type(page)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.getByRole('heading', { name: 'Payment in progress' }).waitFor()
    const first = page.url()
    await page.goto(path)
    await page.waitForURL(first)
    await page.evaluate(`{
      const key = 'lamplighter ' + document.querySelector('main').dataset.subject
      const earlier = (until) => Number(until) - 5 * 60_000
      localStorage.setItem(key, localStorage.getItem(key).replace(/\\b\\d{13}\\b/, earlier))
    }`)
    await page.goto(path)
    await page.locator('#send:enabled').waitFor()
    await type(page)
    await page.getByRole('button', { name: /^Pay/ }).dblclick()
    await page.getByRole('heading', { name: 'Payment in progress' }).waitFor()
    expect(page.url()).not.toBe(first)
    expect(await transactionsOf(service, merchant)).toHaveLength(2)
  })

  it('pays by keyboard alone', async () => {
    merchant = await service.merchant()
    const page = await opened(await newLink(service, merchant))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await faintStops(page)).toEqual({ stops: 12, faint: [] })
    }
    await page.getByLabel('Card number').focus()
    for (const text of [GOOD_CARD, '1239', '123', 'Grace Hopper', 'grace@example.com']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    expect(await page.evaluate('document.activeElement.id')).toBe('send')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/pay\/\w{32}\/\w{32}/)
    expect(await page.getByRole('status').innerText()).toContain('g…@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByLabel('E-mail').fill('books@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('A receipt is on its way by e-mail.').waitFor()
  })

  it('without scripts is told what is missing, and sends no card anywhere', async () => {
    merchant = await service.merchant()
    const page = await opened(await newLink(service, merchant), { javaScript: false })
    expect(await page.locator('noscript p').isVisible()).toBe(true)
    expect(await page.locator('#send').isDisabled()).toBe(true)
    expect(await page.locator('form [name]:not([name=by])').count()).toBe(0)
  })

  it('pays from a bank account, or with a test card at a click', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const page = await opened(path)
    await page.getByLabel('Bank account', { exact: true }).check()
    await page.getByLabel('Routing number').fill('021000021')
    await page.getByLabel('Account number').fill('9876543210')
    await page.getByLabel('Name on the card').fill('Grace Hopper')
    await pay(page)
    expect(await page.locator('.facts').innerText()).toContain('Bank account ending in 3210')
    await page.goto(path)
    await page.getByRole('button', { name: '4111 1111 1111 1111' }).click()
    await pay(page)
    expect(await said(page)).toBe('Paid')
  })

  it('has met no error of a page, and no request to another host', () => {
    expect(pages.length).toBeGreaterThan(8)
    // The gateway makes no token for a page that is gone, and the browser's console reports that
    // too.
    const isOfGonePage = (fault: string) => /^console: Failed to load .* 410 \(Gone\)/.test(fault)
    const faults = pages.flatMap((page) => page.faults())
    expect(faults.filter((fault) => !isOfGonePage(fault))).toEqual([])
    expect(faults.filter(isOfGonePage)).toHaveLength(1)
  })
})
