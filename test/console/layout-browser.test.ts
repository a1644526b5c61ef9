// What has too little room on a desktop must not be cut, moved or broken in the middle of a word.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  hasChromium,
  isWiderThanScreen,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { signIn } from '../support/operator.ts'
import type { Merchant, TestService } from '../support/test-service.ts'
import { openWebhookService, webhooksOf } from '../support/webhooks.ts'

describe.skipIf(!hasChromium)('on a desktop', () => {
  let service: TestService
  let merchant: Merchant
  let endpoint: { readonly id: string }
  let browser: TestBrowser
  let page: WatchedPage

  beforeAll(async () => {
    service = await openWebhookService()
    merchant = await service.merchant()
    endpoint = await webhooksOf(service, merchant).made()
    await service.card(merchant)
    browser = await openBrowser()
    const { cookie } = await signIn(service.world)
    page = await browser.open(await serveService(service), { cookie })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  it('the keys of a team have room for all of their dates', async () => {
    await service.world.db.query(
      `UPDATE api_key SET dialect = 'stax', expires_at = $1, last_used_at = $1`,
      [new Date('2099-12-28T20:48:58Z')],
    )
    await page.goto(`/admin/teams/${merchant.teamId}`)
    const keys = page.getByRole('region', { name: 'Keys', exact: true }).locator('table')
    const room = await keys.evaluate((table) => [
      table.scrollWidth,
      table.parentElement?.clientWidth ?? 0,
    ])
    expect(room[0]).toBeLessThanOrEqual(room[1] ?? 0)
  })

  it('each column of a table has a head, and no two regions have the same name', async () => {
    await page.goto(`/admin/teams/${merchant.teamId}`)
    const heads = await page.locator('th[scope=col]').allTextContents()
    expect(heads.length).toBeGreaterThan(0)
    expect(heads).not.toContain('')
    const names = await page.getByRole('region').evaluateAll((regions) =>
      regions.map((one) => {
        const by = one.getAttribute('aria-labelledby') ?? ''
        return one.getAttribute('aria-label') ?? document.getElementById(by)?.textContent
      }),
    )
    expect(names).toEqual([...new Set(names)])
  })

  it('a long reason of a failure breaks on the smallest screen', async () => {
    const failed = { status: 'parked', reason: 'no_target' } as const
    await insertDeliveries(service, merchant.accountId, 1, failed)
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto('/admin/deliveries?state=failed&channel=email')
    const reason = page.getByText('endpoint or text messages disabled, or content deleted')
    await reason.first().waitFor()
    expect(await isWiderThanScreen(page)).toBe(false)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('the parts of the page of workers stand apart from their titles', async () => {
    await page.goto('/admin/workers')
    const gaps = await page.locator('main h2').evaluateAll((titles) =>
      titles.map((title) => {
        const below = title.nextElementSibling?.getBoundingClientRect().top ?? 0
        return below - title.getBoundingClientRect().bottom
      }),
    )
    expect(gaps).toHaveLength(3)
    expect(Math.min(...gaps)).toBeGreaterThan(8)
  })

  it('an entry of the menu takes the same room whether it is the current one or not', async () => {
    await page.goto('/admin/me')
    const heights = await page.locator('.places nav a').evaluateAll((links) =>
      links.map((link) => {
        if (link.textContent === 'Needs attention') {
          link.insertAdjacentHTML('beforeend', ' <span class="word bad number">128</span>')
        }
        const before = link.getBoundingClientRect().height
        link.setAttribute('aria-current', 'page')
        const isCut = link.scrollWidth > link.clientWidth
        return [link.textContent, before, link.getBoundingClientRect().height, isCut] as const
      }),
    )
    expect(heights.length).toBeGreaterThan(10)
    const [first] = heights
    expect(heights).toEqual(heights.map(([name]) => [name, first?.[1], first?.[1], false]))
  })

  it('a card on a phone leaves out what is not there, where no head says what it would be', async () => {
    const dashes = () => page.locator('.cards td:visible', { hasText: /^–$/ }).count()
    await page.goto('/admin/customers')
    expect(await dashes()).toBeGreaterThan(0)
    await page.setViewportSize({ width: 380, height: 800 })
    expect(await dashes()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('the name of an event is broken after an underscore alone', async () => {
    await page.goto(`/admin/endpoints/${merchant.accountId}/${endpoint.id}`)
    const link = page.getByRole('link', { name: 'create_payment_method' }).first()
    const lines = await link.evaluate((element) => {
      Object.assign((element as HTMLElement).style, { display: 'inline-block', width: '6rem' })
      const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      const found = new Map<number, string>()
      for (const text of texts) {
        for (const at of Array.from(text.textContent ?? '').keys()) {
          const range = document.createRange()
          range.setStart(text, at)
          range.setEnd(text, at + 1)
          const { top } = range.getBoundingClientRect()
          found.set(top, `${found.get(top) ?? ''}${text.textContent?.[at]}`)
        }
      }
      return [...found.values()]
    })
    expect(lines.join('')).toBe('create_payment_method')
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.slice(0, -1).every((line) => line.endsWith('_'))).toBe(true)
  })
})
