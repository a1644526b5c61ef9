// The console on a small screen, and with the colours that the operator's system forces.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, isWiderThanScreen } from '../support/browser.ts'
import { type ConsoleBrowser, openConsole } from '../support/console-browser.ts'
import { openTestService } from '../support/test-service.ts'

describe.skipIf(!hasChromium)('in a browser', { timeout: 120_000 }, () => {
  let browser: ConsoleBrowser

  beforeAll(async () => {
    browser = await openConsole(await openTestService({ queues: [] }))
  }, 120_000)
  afterAll(() => browser?.close())

  it('the menu that covers the smallest screen can be closed without a key', async () => {
    const page = await browser.open('/admin/batches')
    expect(await page.getByRole('button', { name: 'Close' }).isVisible()).toBe(false)
    await page.setViewportSize({ width: 320, height: 256 })
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await isWiderThanScreen(page)).toBe(false)
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await page.getByRole('navigation', { name: 'Console' }).isVisible()).toBe(false)
  })

  it('with forced colours the current place and the marks of a chart are still seen', async () => {
    const page = await browser.open('/admin')
    await page.emulateMedia({ forcedColors: 'active' })
    const styles = (selector: string, part?: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, pseudo) => {
          const { outlineStyle, backgroundColor } = getComputedStyle(element, pseudo)
          return { outlineStyle, backgroundColor }
        }, part)
    const other = await styles('.places a:not([aria-current])')
    const current = await styles('.places a[aria-current]')
    expect([other.outlineStyle, current.outlineStyle]).toEqual(['none', 'solid'])
    const ground = await styles('body')
    const mark = await styles('.key [data-line="approved"]', '::before')
    expect(mark.backgroundColor).not.toBe(ground.backgroundColor)
  })
})
