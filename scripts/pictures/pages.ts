// The pictures of the pages that payers see.

import type { Browser, Page } from 'playwright-core'
import { type Screen, savePair } from './save-pair.ts'
import type { StoryService } from './story.ts'

const SCREENS: Readonly<Record<string, Screen>> = {
  desk: { width: 760, height: 900, sharpness: 1 },
  phone: { width: 390, height: 844, sharpness: 1.5 },
}

export async function picturePages(browser: Browser, { shops }: StoryService): Promise<void> {
  const [shop] = shops
  if (shop === undefined) throw new Error('there is no shop')
  const shown = (url: string) => async (page: Page) => {
    await page.goto(url)
    return page.screenshot({ fullPage: true })
  }
  const pictures = {
    link: shown(shop.link.url),
    'link-open': shown(shop.openLink.url),
    bill: shown(shop.bill.url),
    approved: paid(shop.link.url, '4111111111111111'),
    declined: paid(shop.link.url, '4012888888881881'),
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
