// The pictures of the pages that payers see.

import type { Browser, Page } from 'playwright-core'
import { type Screen, savePair } from './save-pair.ts'
import type { StoryService } from './story.ts'

const SCREENS: Readonly<Record<string, Screen>> = {
  desk: { width: 760, height: 900, sharpness: 1 },
  phone: { width: 390, height: 844, sharpness: 1.5 },
}

export async function picturePages(
  browser: Browser,
  { shops, liveLink }: StoryService,
): Promise<void> {
  const [shop, withLook] = shops
  if (shop === undefined || withLook === undefined) throw new Error('there is no shop')
  const shown = (url: string, asked?: string) => async (page: Page) => {
    if (asked !== undefined) await page.setExtraHTTPHeaders({ 'accept-language': asked })
    await page.goto(url)
    return page.screenshot({ fullPage: true })
  }
  const pictures = {
    link: shown(shop.link.url),
    'link-open': shown(shop.openLink.url),
    bill: shown(shop.bill.url),
    approved: paid(shop.link.url, '4111111111111111'),
    declined: paid(shop.link.url, '4012888888881881'),
    look: shown(withLook.bill.url, 'fr'),
    live: liveForm(liveLink),
    'live-bank': askedByBank(liveLink),
  }
  for (const [name, picture] of Object.entries(pictures)) {
    for (const [screen, size] of Object.entries(SCREENS)) {
      await savePair(browser, `pages/${name}-${screen}`, size, picture)
    }
  }
}

function paid(url: string, number: string) {
  return async (page: Page) => {
    await page.goto(url)
    await page.getByLabel('Card number').fill(number)
    await page.getByLabel(/Expires/).fill('12 / 30')
    await page.getByLabel(/CVC|Security code/).fill('123')
    await page.getByLabel(/Name on/).fill('Ada Lovelace')
    await page.getByRole('button', { name: /Pay/ }).click()
    await page.waitForURL(/\/pay\/[0-9a-f]+\/.+/)
    await page.waitForLoadState('networkidle')
    return page.screenshot({ fullPage: true })
  }
}

/** The form with the fields that the stand-in's script puts into the page. */
function liveForm(url: string) {
  return async (page: Page) => {
    await page.goto(url)
    await page.locator('#send:enabled').waitFor()
    return page.screenshot({ fullPage: true })
  }
}

function askedByBank(url: string) {
  return async (page: Page) => {
    await page.goto(url)
    await page.locator('#send:enabled').waitFor()
    await page.getByLabel('Card or account number').fill('4000 0025 0000 3155')
    await page.getByLabel('Expiration').fill('12 / 39')
    await page.getByLabel('CVC').fill('737')
    await page.getByLabel('Name on the card').fill('Ada Lovelace')
    await page.getByRole('button', { name: /Pay/ }).click()
    await page.getByText('is this payment yours?').waitFor()
    return page.screenshot()
  }
}
