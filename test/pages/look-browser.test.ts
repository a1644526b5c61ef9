// A merchant's look in a real browser: it is loaded, is readable by day and by night, and fits
// the narrowest phone. So does the form on the console that sets it.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeTeam } from '../../src/accounts/change-team.ts'
import { logoOf } from '../../src/accounts/keep-logo.ts'
import { contrastOf } from '../../src/core/colour.ts'
import {
  faultsInEachLook,
  hasChromium,
  isWiderThanScreen,
  openBrowser,
  serveService,
  type TestBrowser,
} from '../support/browser.ts'
import { hexOf } from '../support/focus-ring.ts'
import { signIn } from '../support/operator.ts'
import { MANY_PAYERS, newBill, newLink, newNonce, payAt } from '../support/pages.ts'
import { pngOf } from '../support/pictures.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { setTeam } from '../support/set-team.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const START_MS = 60_000

describe.skipIf(!hasChromium)('a look', { timeout: START_MS }, () => {
  let service: TestService
  let merchant: Merchant
  let browser: TestBrowser
  let origin: string

  beforeAll(async () => {
    service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS })
    merchant = await service.merchant()
    const logo = logoOf(pngOf(1000, 40)) ?? null
    const wide = { mode: 'sandbox', account: { logo } } as const
    await changeTeam(service.world, merchant.teamId, [wide])
    await setTeam(service.world, merchant.teamId, [
      'sandbox_language=fr',
      'sandbox_support_email=a-rather-long-address-for-questions@shop.example',
      'sandbox_support_phone=+1 212 555 0100',
      'sandbox_website=https://a-rather-long-name-of-a-shop.example/with/a/long/path',
    ])
    browser = await openBrowser()
    origin = await serveService(service)
  }, START_MS)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  it.each(['#ffee00', '#ffffff', '#000000', '#b3005e'])('in %s is readable', async (colour) => {
    await setTeam(service.world, merchant.teamId, [`sandbox_colour=${colour}`])
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    await payAt(service, path, { nonce }, DECLINED_CARD)
    const { path: bill } = await newBill(service, merchant)
    const page = await browser.open(origin, { size: 'phone' })
    for (const place of [path, bill, `${path}/${nonce}`]) {
      await page.goto(`${place}?lang=fr`)
      const button = async () => {
        if (await isWiderThanScreen(page)) return ['it is wider than the screen']
        if (!place.endsWith(nonce)) return []
        const [ground, ink] = await coloursOf(page, 'a.button')
        return ground === colour && contrastOf(ground, ink) >= 4.5 ? [] : [`${ink} on ${ground}`]
      }
      expect([place, await faultsInEachLook(page, button)]).toEqual([place, []])
      const loaded = "document.querySelector('img.logo').naturalWidth"
      expect(await page.evaluate(loaded)).toBe(1000)
    }
  })

  it('is set and shown on the console, by day and by night', async () => {
    const { cookie } = await signIn(service.world)
    const page = await browser.open(origin, { cookie })
    await page.goto(`/admin/teams/${merchant.teamId}`)
    const form = page.getByRole('region', { name: 'Look of the live account' })
    await form.getByLabel('Colour').fill('#123456')
    const file = { name: 'a.png', mimeType: 'image/png', buffer: pngOf() }
    await form.getByLabel('Logo').setInputFiles(file)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await faultsInEachLook(page)).toEqual([])
    const sample = page.getByRole('region', { name: 'Look of the live account' }).locator('figure')
    expect(await sample.locator('img').count()).toBe(2)
    const [ground] = await coloursOf(page, '[class*="light-123456"] .sample-button')
    expect(ground).toBe('#123456')
  })
})

/** The background and the text colour of an element, as the browser has computed them. */
async function coloursOf(page: Page, selector: string): Promise<readonly [string, string]> {
  const style = `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))`
  const both = `[${style}.backgroundColor, ${style}.color]`
  const [ground = '', ink = ''] = await page.evaluate<string[]>(both)
  return [hexOf(ground), hexOf(ink)]
}
