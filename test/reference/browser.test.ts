// The reference in a browser: on a desktop and on a narrow phone, by day and by night, with and
// without scripts.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  faultsInEachLook,
  hasChromium,
  isWiderThanScreen,
  openBrowser,
  serveService,
  type TestBrowser,
} from '../support/browser.ts'
import { documentOf } from '../support/document.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const PATIENCE = { timeout: 60_000 }

const DESKTOP = { width: 1280, height: 800 }
const NARROW = { width: 320, height: 640 }
/** A desktop's page at 200 %. */
const ZOOMED = { width: 640, height: 400 }

describe.skipIf(!hasChromium)('the reference', PATIENCE, () => {
  let service: TestService
  let origin: string
  let browser: TestBrowser

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    origin = await serveService(service)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  it('has no fault, by day and by night, and fits any screen, and a desktop at 200 %', async () => {
    const page = await browser.open(origin)
    const one = ['/docs', '/docs/payments', '/docs/payment-links', '/docs/nowhere']
    for (const path of new Set([...one, ...tagPaths()])) {
      await page.goto(path)
      for (const viewport of [NARROW, ZOOMED, DESKTOP]) {
        await page.setViewportSize(viewport)
        expect([path, await isWiderThanScreen(page)]).toEqual([path, false])
      }
      if (one.includes(path)) expect([path, await faultsInEachLook(page)]).toEqual([path, []])
    }
  })

  function tagPaths(): readonly string[] {
    return documentOf(service.app).tags.map(
      ({ name }) => `/docs/${name.toLowerCase().replaceAll(' ', '-')}`,
    )
  }

  it('shows programs in one language, and remembers the choice', async () => {
    const page = await browser.open(origin)
    await page.goto('/docs/payments')
    const charge = page.locator('[aria-labelledby=post-charge]')
    expect(await shown(charge.locator('.samples figure'))).toEqual(['curl'])
    await charge.getByRole('button', { name: 'Python' }).click()
    expect(await shown(charge.locator('.samples figure'))).toEqual(['python'])
    await page.goto('/docs/customers')
    const customer = page.locator('[aria-labelledby=post-customer]')
    expect(await shown(customer.locator('.samples figure'))).toEqual(['python'])
    expect(
      await customer.getByRole('button', { name: 'Python' }).getAttribute('aria-pressed'),
    ).toBe('true')
    expect(page.faults()).toEqual([])
  })

  it('copies a program', async () => {
    const page = await browser.open(origin)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/docs/payments')
    const charge = page.locator('[aria-labelledby=post-charge]')
    await charge.getByRole('button', { name: 'Copy' }).click()
    await charge.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(await charge.locator('.curl code').textContent())
  })

  it('finds operations by words and paths, from anywhere with one key', async () => {
    const page = await browser.open(origin)
    await page.goto('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('post transaction refund')
    const found = page.locator('[data-operation][data-found]')
    expect(await found.allTextContents()).toEqual([
      'POST Refund a transaction',
      'POST Void or refund a transaction',
      'POST Reverse a refund or a bank debit in the sandbox',
    ])
    expect(await page.getByRole('status').textContent()).toBe('3 operations')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/payments#post-transaction-id-refund')
    await page.locator('#filter').fill('nothing of the kind')
    expect(await found.count()).toBe(0)
    await page.locator('#filter').fill('')
    expect(await shown(page.locator('.pages > li'))).toHaveLength(13)
    expect(page.faults()).toEqual([])
  })

  it('folds its contents on a phone, also after a choice', async () => {
    const page = await browser.open(origin, { size: 'phone' })
    await page.goto('/docs/payments')
    const contents = page.getByRole('navigation', { name: 'Contents' })
    expect(await contents.isVisible()).toBe(false)
    await page.locator('.menu summary').click()
    await contents.getByRole('link', { name: 'Void a transaction' }).click()
    expect(await contents.isVisible()).toBe(false)
    expect(new URL(page.url()).hash).toBe('#post-transaction-id-void')
  })

  it('shows everything without scripts', async () => {
    const page = await browser.open(origin, { size: 'phone', javaScript: false })
    await page.goto('/docs/payments')
    const charge = page.locator('[aria-labelledby=post-charge]')
    expect(await shown(charge.locator('.samples figure'))).toEqual(['curl', 'javascript', 'python'])
    expect(await page.locator('#filter').isVisible()).toBe(false)
    await page.locator('.menu summary').click()
    await page.getByRole('navigation').getByRole('link', { name: 'Batches' }).click()
    await page.getByRole('heading', { name: 'Batches', exact: true }).waitFor()
  })
})

/** The class names of the visible ones. */
async function shown(all: ReturnType<TestPage['locator']>): Promise<readonly string[]> {
  const found = await all.all()
  const visible = await Promise.all(found.map((one) => one.isVisible()))
  const seen = found.filter((_, i) => visible[i])
  return Promise.all(seen.map(async (one) => (await one.getAttribute('class')) ?? ''))
}

type TestPage = Awaited<ReturnType<TestBrowser['open']>>
