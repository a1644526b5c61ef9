// The service builds addresses from its settings. A request can claim any host, and a client that
// followed it would send its key there.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const LIED = {
  host: 'evil.example',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-for': '198.51.100.1',
  forwarded: 'host=evil.example',
}

const PUBLIC = 'https://pay.shop.example'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  const settings = { PUBLIC_URL: PUBLIC, TRUST_PROXY: 'true', CHARGE_WAIT_MS: '0' }
  service = await openTestService({ queues: [], settings })
  merchant = await service.merchant()
  const card = await service.card(merchant)
  for (const total of [1, 2, 3]) {
    await service.charge(merchant, { total, payment_method_id: card })
    await ask('POST', '/customer', { firstname: 'Ada' })
    await ask('POST', '/payment-link', { common_name: 'Tea' })
  }
})
afterAll(() => service.close())

function ask(method: 'GET' | 'POST', url: string, body?: object) {
  return call(service.app, method, url, { ...merchant.headers, ...LIED }, body)
}

describe('whatever host a request claims', () => {
  it.each(['/customer', '/transaction', '/event', '/query/payment-links'])(
    'the pages of %s are where the settings say',
    async (path) => {
      const { body, text } = await ask('GET', `${path}?page=2&limit=1`)
      expect(body.next_page_url).toBe(`${PUBLIC}${path}?page=3&limit=1`)
      expect(body.prev_page_url).toBe(`${PUBLIC}${path}?page=1&limit=1`)
      expect(text).not.toMatch(/evil|gopher/)
    },
  )

  it('a query for links in a body is answered with the same addresses', async () => {
    const { body } = await ask('POST', '/query/payment-links', { limit: 1 })
    expect(body.next_page_url).toMatch(/^https:\/\/pay\.shop\.example\/query\/payment-links\?/)
  })

  it('a link, its picture, an invoice, a pending payment and the document do not repeat it', async () => {
    const link = await ask('POST', '/payment-link', { common_name: 'Tea' })
    expect(link.body.url).toBe(`${PUBLIC}/pay/${link.body.id}`)
    expect(link.body.qr_code_url).toBe(`${PUBLIC}/pay/${link.body.id}/qr.svg`)
    const card = await service.card(merchant)
    const paid = await service.charge(
      merchant,
      { total: 1, payment_method_id: card },
      { ...LIED, prefer: 'respond-async' },
    )
    expect(paid.headers.location).toBe(`/transaction/${paid.body.id}`)
    const places = ['/openapi.json', '/docs', `/pay/${link.body.id}`, '/admin', '/self', '/nowhere']
    for (const place of places) {
      const { text, headers } = await ask('GET', place)
      expect(`${text} ${JSON.stringify(headers)}`).not.toContain('evil')
    }
  })

  it('the address is made of HOST and PORT if PUBLIC_URL is not set', async () => {
    await using plain = await openTestService({ queues: [], settings: { PORT: '4321' } })
    const { headers } = await plain.merchant()
    for (const firstname of ['Ada', 'Grace']) {
      await call(plain.app, 'POST', '/customer', headers, { firstname })
    }
    const { body } = await call(plain.app, 'GET', '/customer?limit=1', { ...headers, ...LIED })
    expect(body.next_page_url).toBe('http://127.0.0.1:4321/customer?limit=1&page=2')
  })
})
