// The menu, the keyboard, the buttons and the times on every page of the console, in a browser.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axeFaults,
  hasChromium,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { type SignedIn, see, signIn } from '../support/operator.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
let ada: SignedIn

beforeAll(async () => {
  service = await openTestService({ queues: ['charge'] })
  merchant = await service.merchant()
  ada = await signIn(service.world)
  const card = await service.card(merchant)
  for (const total of [1, 2, 3]) await service.charge(merchant, { total, payment_method_id: card })
  await insertDeliveries(service, merchant.accountId, 1_234, { status: 'parked' })
}, 60_000)
afterAll(() => service.close())

it('the menu shows how many items need attention', async () => {
  const { body } = await see(service.app, '/admin/audit', ada)
  expect(body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toContain('Needs attention 1,234')
})

it('lists with dates offer the last days as choices', async () => {
  const today = service.world.clock.now().toISOString().slice(0, 10)
  const { body } = await see(service.app, `/admin/transactions?from=${today}&to=${today}`, ada)
  expect(body).toMatch(/aria-current="true">Today</)
  const later = await see(service.app, '/admin/transactions?page=5&before=x', ada)
  expect(later.body).toMatch(/href="[^"]*[?;]from=[^"]*">Today</)
  expect(later.body).not.toMatch(/href="[^"]*(page=5|before=x)[^"]*">Today</)
  expect(body).toMatch(new RegExp(`from=\\d{4}-\\d\\d-\\d\\d&amp;to=${today}">30 days`))
})

it.each([
  [
    '/admin/transactions?team={team}&mode=sandbox&page=9',
    '/admin/transactions?team={team}&mode=sandbox',
  ],
  ['/admin/audit?before=00000000-0000-7000-8000-000000000000', '/admin/audit'],
  ['/admin/teams?page=9', '/admin/teams'],
  ['/admin/schedules?page=9&state=finished', '/admin/schedules?state=finished'],
])('a page past the end of a list leads back: %s', async (path, first) => {
  const of = (text: string) => text.replace('{team}', merchant.teamId)
  const { body } = await see(service.app, of(path), ada)
  const [, back = ''] = /href="([^"]*)">← /.exec(body) ?? []
  expect(back.replaceAll('&amp;', '&')).toBe(of(first))
})

/** The browser's clock is a year behind. */
const WRONG_CLOCK = 'const real = Date.now; Date.now = () => real() - 365 * 86_400_000'

describe.skipIf(!hasChromium)('in a browser', () => {
  let browser: TestBrowser
  let origin: string

  beforeAll(async () => {
    browser = await openBrowser()
    origin = await serveService(service)
  })
  afterAll(() => browser.close())

  it('by keyboard rows are reached and opened, and an instant is shown in local time', async () => {
    const page = await browser.open(origin, { cookie: ada.cookie })
    await page.goto('/admin/transactions')
    const row = () =>
      page.evaluate(`[...document.querySelectorAll('main tbody tr')]
        .findIndex((row) => row.contains(document.activeElement))`)
    await page.keyboard.press('j')
    expect(await row()).toBe(0)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await row()).toBe(2)
    await page.keyboard.press('k')
    expect(await row()).toBe(1)

    const instant = page.locator('main tbody time').first()
    await instant.hover()
    expect(await instant.getAttribute('title')).toMatch(/\(local\), .+ ago$/)

    await page.keyboard.press('?')
    expect(await page.locator('#keyboard').isVisible()).toBe(true)
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('?')
    expect(await page.locator('#keyboard').isVisible()).toBe(false)

    await page.keyboard.press('/')
    await page.keyboard.type('jk?/')
    expect(await page.locator('#find').inputValue()).toBe('jk?/')
    await page.locator('main tbody tr').nth(1).locator('a').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/transactions\/[^/]+\/[^/]+$/)
    expect(page.faults()).toEqual([])
  })

  it('a second click sends no form again, so that a new key is still shown', async () => {
    const page = await browser.open(origin, { cookie: ada.cookie })
    const path = `/admin/teams/${merchant.teamId}`
    await page.goto(path)
    const form = page.locator(`form[action="${path}/keys"]`)
    await form.locator('[name=key_name]').fill('till')
    // Whether each try is stopped; none leaves the page.
    const stopped = await page.evaluate(`(() => {
      const stopped = []
      window.addEventListener('submit', (event) => {
        stopped.push(event.defaultPrevented)
        event.preventDefault()
      })
      const button = document.querySelector('form[action="${path}/keys"] button')
      button.click()
      button.click()
      // The browser shows a page that it has kept.
      window.dispatchEvent(new Event('pageshow'))
      button.click()
      return stopped
    })()`)
    expect(stopped).toEqual([false, true, false])
    await page.goto(path)
    await form.locator('[name=key_name]').fill('till')
    await form.locator('button').dblclick()
    await page
      .getByText(/sk_sandbox_[\w-]{20}/)
      .first()
      .waitFor()
    expect(page.faults()).toEqual([])
  })

  describe('a time', () => {
    let ahead: Merchant

    beforeAll(async () => {
      ahead = await service.merchant()
      await service.world.db.query('UPDATE account SET clock_at = $2 WHERE id = $1', [
        ahead.accountId,
        new Date('2031-03-01T12:00:00Z'),
      ])
      for (const { headers } of [merchant, ahead]) {
        const person = { firstname: 'Ada', lastname: 'Lovelace' }
        expect((await call(service.app, 'POST', '/customer', headers, person)).status).toBe(200)
      }
    })

    async function opened(path: string): Promise<WatchedPage> {
      const page = await browser.open(origin, { cookie: ada.cookie })
      await page.addInitScript(WRONG_CLOCK)
      await page.goto(path)
      return page
    }

    async function titleOf(page: WatchedPage, within: string): Promise<string | null> {
      const time = page.locator(`${within} time`).first()
      await time.hover()
      return time.getAttribute('title')
    }

    const rowOf = ({ accountId }: Merchant) => `tbody tr:has(a[href*="${accountId}"])`

    it('says how long ago it is, whatever clock the browser has', async () => {
      const page = await opened('/admin/customers')
      expect(await titleOf(page, rowOf(merchant))).toMatch(/\(local\), \d+ seconds? ago$/)
      await page
        .locator(`${rowOf(merchant)} td.main a`)
        .first()
        .click()
      expect(await page.getByText('sandbox clock').count()).toBe(0)
      expect(await titleOf(page, '.facts')).toMatch(/\(local\), \d+ (seconds?|minutes) ago$/)
    })

    it('of an account with a sandbox clock is sandbox time, in lists and on its own page', async () => {
      const page = await opened('/admin/customers')
      expect(await titleOf(page, rowOf(ahead))).toMatch(/2031.*\(local\), sandbox time$/)
      await page.locator(`${rowOf(ahead)} td.main a`).click()
      await page.getByText('This account has a sandbox clock.').waitFor()
      expect(await page.locator('p.note').first().innerText()).toContain('2031-03-01 12:00:00')
      expect(await titleOf(page, '.facts')).toMatch(/\(local\), sandbox time$/)
    })
  })
})
