// The tooltip of a time: how long ago it is by the service's clock, and nothing of the kind in an
// account with a sandbox clock.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  hasChromium,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** The browser's clock is a year behind. */
const WRONG_CLOCK = 'const real = Date.now; Date.now = () => real() - 365 * 86_400_000'

describe.skipIf(!hasChromium)('a time', { timeout: 60_000 }, () => {
  let service: TestService
  let browser: TestBrowser
  let origin: string
  let real: Merchant
  let ahead: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    ;[real, ahead] = [await service.merchant(), await service.merchant()]
    await service.world.db.query('UPDATE account SET clock_at = $2 WHERE id = $1', [
      ahead.accountId,
      new Date('2031-03-01T12:00:00Z'),
    ])
    for (const { headers } of [real, ahead]) {
      const person = { firstname: 'Ada', lastname: 'Lovelace' }
      expect((await call(service.app, 'POST', '/customer', headers, person)).status).toBe(200)
    }
    browser = await openBrowser()
    origin = await serveService(service)
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  async function opened(path: string): Promise<WatchedPage> {
    const page = await browser.open(origin, { cookie: (await signIn(service.world)).cookie })
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
    expect(await titleOf(page, rowOf(real))).toMatch(/\(local\), \d+ seconds? ago$/)
    await page.locator(`${rowOf(real)} td.main a`).click()
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
