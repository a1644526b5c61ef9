// The pictures of the console.

import type { Browser, Page } from 'playwright-core'
import { type Screen, savePair } from './save-pair.ts'
import type { StoryService } from './story.ts'

const SCREENS: Readonly<Record<string, Screen>> = {
  desk: { width: 1180, height: 860, sharpness: 1 },
  phone: { width: 390, height: 844, sharpness: 1.5 },
}

/** Each page, by the way to it from the first page. */
const PAGES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  now: (page) => page.waitForTimeout(6_000),
  transactions: (page) => page.goto(placeOf(page, '/admin/transactions')),
  transaction: async (page) => {
    await page.goto(placeOf(page, '/admin/transactions'))
    await page.locator('main tbody a').first().click()
  },
  // The month of a shop that is not busy now: the day of the busy one is unusually full.
  batches: (page) => page.goto(placeOf(page, '/admin/batches?team=Harbour%20Coffee')),
  schedules: (page) => page.goto(placeOf(page, '/admin/schedules')),
  customer: async (page) => {
    await page.goto(placeOf(page, '/admin/customers'))
    await page.locator('main tbody a').first().click()
  },
  invoices: (page) => page.goto(placeOf(page, '/admin/invoices')),
  deliveries: (page) => page.goto(placeOf(page, '/admin/deliveries')),
  requests: (page) => page.goto(placeOf(page, '/admin/requests')),
  workers: (page) => page.goto(placeOf(page, '/admin/workers')),
  parked: (page) => page.goto(placeOf(page, '/admin/parked')),
  outbox: (page) => page.goto(placeOf(page, '/admin/outbox')),
  message: async (page) => {
    await page.goto(placeOf(page, '/admin/outbox'))
    await page.locator('main tbody a').first().click()
  },
  teams: (page) => page.goto(placeOf(page, '/admin/teams')),
  team: async (page) => {
    await page.goto(placeOf(page, '/admin/teams'))
    await page.locator('main tbody a').first().click()
  },
  operators: (page) => page.goto(placeOf(page, '/admin/operators')),
  audit: (page) => page.goto(placeOf(page, '/admin/audit')),
  queues: (page) => page.goto(placeOf(page, '/admin/queues')),
}

/** The charts of the current moment need values of this time. */
const MOMENT_MS = 150_000

export async function pictureConsole(browser: Browser, service: StoryService): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${service.origin}/admin`)
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Password').fill(service.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/admin')
  const state = await context.storageState()
  await new Promise((resolve) => setTimeout(resolve, MOMENT_MS))
  for (const [name, go] of Object.entries(PAGES)) {
    for (const [screen, size] of Object.entries(SCREENS)) {
      const picture = async (one: Page) => {
        await one.goto(`${service.origin}/admin`)
        await go(one)
        await one.waitForLoadState('networkidle').catch(() => undefined)
        return one.screenshot()
      }
      await savePair(browser, `console/${name}-${screen}`, size, picture, state)
    }
  }
  await context.close()
}

/** The address of another page of the same service. */
function placeOf(page: Page, path: string): string {
  return new URL(path, page.url()).href
}
