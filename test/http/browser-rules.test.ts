// What browsers may do with the pages at /docs, and with every answer that is not a page.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
})
afterAll(() => service.close())

it('the root leads a browser to the documentation, and is not found for a program', async () => {
  const page = await call(service.app, 'GET', '/', { accept: 'text/html,*/*;q=0.8' })
  expect([page.status, page.headers.location]).toEqual([302, '/docs'])
  const script = await call(service.app, 'GET', '/', { accept: 'application/json' })
  expect([script.status, script.body.error]).toEqual([404, 'not_found'])
})

describe('the rules for browsers', () => {
  it.each(['/docs', '/docs/', '/docs/payments', '/docs/json'])(
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
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/)
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
