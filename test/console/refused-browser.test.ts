// A form that was refused, in a browser: the reader is taken to what was wrong.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { type ConsoleBrowser, openConsole } from '../support/console-browser.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe.skipIf(!hasChromium)('a refused form', { timeout: 60_000 }, () => {
  let service: TestService
  let merchant: Merchant
  let browser: ConsoleBrowser

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    browser = await openConsole(service)
  }, 60_000)
  afterAll(() => browser?.close())

  it('at the end of a long page is in sight, and a screen reader begins with its fault', async () => {
    const link = { common_name: 'Coffee', amount: 12.5 }
    const { body } = await call(service.app, 'POST', '/payment-link', merchant.headers, link)
    const page = await browser.open(`/admin/links/${merchant.accountId}/${body.id}`)
    const change = { amount: 500 }
    await call(service.app, 'PUT', `/query/payment-links/${body.id}`, merchant.headers, change)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/change')
    const fault = page.getByText('The link has changed since this form was opened.')
    await expect.poll(() => fault.evaluate((its) => its === document.activeElement)).toBe(true)
    const isInSight = await fault.evaluate((its) => {
      const { top, bottom } = its.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
    expect(isInSight).toBe(true)
  })

  it('and one that did its work alike: a screen reader begins with what was done', async () => {
    const page = await browser.open('/admin/teams/new')
    await page.getByLabel('Name', { exact: true }).fill('Begun Here')
    await page.getByRole('button', { name: 'Create team' }).click()
    const done = page.getByRole('status')
    await expect.poll(() => done.evaluate((its) => its === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    const isInMain = () =>
      page.locator('main').evaluate((its) => its.contains(document.activeElement))
    expect(await isInMain()).toBe(true)
  })
})
