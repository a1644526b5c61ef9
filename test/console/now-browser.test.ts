// The first page of the console in a browser: it updates itself, stops on request, and says so when
// it knows nothing.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endSession } from '../../src/operators/session.ts'
import { type Heartbeat, keepHeartbeat } from '../../src/upkeep/keep-heartbeat.ts'
import {
  hasChromium,
  type Look,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

interface PageOptions extends Look {
  readonly path?: string
  /** The browser's time is set by the test. */
  readonly hasOwnTime?: boolean
}

describe.skipIf(!hasChromium)('the first page of the console', () => {
  let service: TestService
  let merchant: Merchant
  let card: string
  let origin: string
  let browser: TestBrowser
  let heartbeat: Heartbeat
  let opened: WatchedPage[] = []

  beforeAll(async () => {
    service = await openTestService({
      queues: ['charge', 'doubt'],
      timings: { heartbeatEveryMs: 200 },
    })
    merchant = await service.merchant()
    card = await service.card(merchant)
    heartbeat = keepHeartbeat(service.world, { role: 'start', queues: ['charge', 'doubt'] })
    origin = await serveService(service)
    browser = await openBrowser()
  }, 60_000)

  afterEach(async () => {
    // A page that is left open would go on polling.
    await Promise.all(opened.map((page) => page.context().close()))
    opened = []
  })

  afterAll(async () => {
    await browser.close()
    await heartbeat.close()
    await service.close()
  })

  async function openNow({ path = '/admin', hasOwnTime = false, ...look }: PageOptions = {}) {
    const { cookie } = await signIn(service.world)
    const page = await browser.open(origin, { cookie, ...look })
    opened.push(page)
    if (hasOwnTime) await page.clock.install()
    await page.goto(path)
    const text = (name: string) => page.locator(`[data-now="${name}"]`).textContent()
    const watching = () => page.locator('#watching').textContent()
    return { page, text, watching, cookie }
  }

  const charge = () => service.charge(merchant, { total: 5, payment_method_id: card })

  it('shows a charge made while it is open, and draws its charts', async () => {
    const { page, text, watching } = await openNow()
    await expect.poll(watching).toBe('Live, as of')
    const before = Number.parseInt((await text('chart.charges')) ?? '', 10)
    expect((await charge()).body.status).toBe('SUCCESS')
    await expect
      .poll(async () => Number.parseInt((await text('chart.charges')) ?? '', 10))
      .toBe(before + 1)
    // The figure is of this moment, as soon as its step has ended.
    await expect.poll(() => text('tile.success')).toBe('100.0 %')
    expect(await page.locator('[data-chart] canvas').count()).toBe(4)
    const shown = page.locator('[data-value="success"]')
    await expect.poll(() => shown.textContent()).toBe('100.0 %')
    expect(await text('tile.workers')).toBe('1')
    expect(page.faults()).toEqual([])
  }, 60_000)

  it('is frozen while it is paused, and goes on', async () => {
    const { page, text, watching } = await openNow({ hasOwnTime: true })
    await expect.poll(watching).toBe('Live, as of')
    await page.getByRole('button', { name: 'Pause' }).click()
    expect(await watching()).toBe('Paused, as of')
    const at = await text('at')
    let asked = 0
    page.on('request', () => {
      asked += 1
    })
    // A paused page stays paused when the operator returns to it.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.clock.fastForward(60_000)
    expect([asked, await text('at')]).toEqual([0, at])
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => text('at')).not.toBe(at)
    expect(asked).toBeGreaterThan(0)
  }, 60_000)

  it('says that the service cannot be reached, and reconnects', async () => {
    const { page, watching } = await openNow()
    await expect.poll(watching).toBe('Live, as of')
    await page.route('**/now.json', (route) => route.abort())
    await expect.poll(watching).toContain('cannot be reached')
    await page.unroute('**/now.json')
    await expect.poll(watching).toBe('Live, as of')
  }, 60_000)

  it('says that the session has ended, and stops polling', async () => {
    const { page, watching, cookie } = await openNow()
    await expect.poll(watching).toBe('Live, as of')
    await endSession(service.world, cookie.slice(cookie.indexOf('=') + 1))
    await expect.poll(watching).toContain('Signed out')
    expect(await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe(
      '/admin',
    )
  }, 60_000)

  it('shows the state of a schedule as a word on a phone, and as a dot in the calendar', async () => {
    const { page } = await openNow({ path: '/admin/schedules', size: 'phone' })
    await page.evaluate(`
      const states = '<span class="states"><span class="word wait">paused</span></span>'
      document.querySelector('main').innerHTML =
        '<div class="a">' + states + '</div><div class="calendar">' + states + '</div>'
    `)
    const width = async (of: string) => (await page.locator(`${of} .word`).boundingBox())?.width
    expect(await width('.a')).toBeGreaterThan(30)
    expect(await width('.calendar')).toBeLessThan(15)
  }, 60_000)

  it('has its figures without any script', async () => {
    const { text } = await openNow({ javaScript: false })
    expect(await text('tile.workers')).toBe('1')
  })
})
