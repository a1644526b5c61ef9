// The page at /docs, which may do what every page of ours may and still works; and what browsers are
// told of every other answer.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, openBrowser, serveService, type TestBrowser } from '../support/browser.ts'
import { converse, statusesOf } from '../support/raw-connection.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
})
afterAll(() => service.close())

it('is what a browser sees that opens the address itself, and no script', async () => {
  const page = await call(service.app, 'GET', '/', { accept: 'text/html,*/*;q=0.8' })
  expect([page.status, page.headers.location]).toEqual([302, '/docs'])
  const script = await call(service.app, 'GET', '/', { accept: 'application/json' })
  expect([script.status, script.body.error]).toEqual([404, 'not_found'])
})

describe('the rules of browsers', () => {
  it.each(['/docs', '/docs/', '/docs/json', '/docs/static/swagger-ui.css'])(
    'of %s are those of every page',
    async (path) => {
      const { status, headers } = await call(service.app, 'GET', path, {})
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
      expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe|https?:|\*/)
    },
  )

  it.each(['/self', '/customer?x=1', '/nowhere', '/%', '/healthz', '/metrics', '/openapi.json'])(
    'of %s keep it from being framed, sniffed or loaded as a page',
    async (path) => {
      const { headers } = await call(service.app, 'GET', path, merchant.headers)
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
    },
  )

  it.each(['/self', '/customer', '/customer?x=1', '/transaction'])(
    'of %s keep what a key may see out of caches',
    async (path) => {
      const { headers } = await call(service.app, 'GET', path, merchant.headers)
      expect(headers['cache-control']).toBe('no-store')
    },
  )
})

describe.skipIf(!hasChromium)('in a browser', () => {
  let browser: TestBrowser
  let origin: string

  beforeAll(async () => {
    browser = await openBrowser()
    origin = await serveService(service)
  })
  afterAll(() => browser.close())

  it('the page shows every operation, takes a key and tries one out', async () => {
    const page = await browser.open(origin)
    await page.goto('/docs')
    await page
      .locator('#swagger-ui .authorize')
      .first()
      .waitFor()
      .catch(() => {})
    expect(page.faults()).toEqual([])
    await page.locator('#swagger-ui .authorize').first().click()
    await page.locator('.auth-container input').fill(merchant.key)
    await page.locator('.auth-btn-wrapper .authorize').click()
    await page.locator('.auth-btn-wrapper .btn-done').click()
    const operation = page.locator('#operations-Account-get_self')
    await operation.locator('.opblock-summary').click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    await operation
      .locator('.live-responses-table .response-col_status', { hasText: '200' })
      .waitFor()
    expect(await operation.locator('.live-responses-table').textContent()).toContain('sandbox')
    expect(await page.locator('.opblock').count()).toBeGreaterThan(40)
    expect(page.faults()).toEqual([])
  })

  it('redirects nowhere, whatever stands before it', async () => {
    const port = Number(new URL(origin).port)
    for (const path of ['//docs/static/index.html', '/docs/static/index.html', '//docs//']) {
      const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      const [status = 0] = statusesOf(await converse(port, head))
      expect([200, 404]).toContain(status)
    }
  })
})
