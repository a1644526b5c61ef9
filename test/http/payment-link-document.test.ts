// The answers about payment links agree with their description in the OpenAPI document.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckedCall, checkedCall, documentOf } from '../support/document.ts'
import { FULL_LINK, UNKNOWN_LINK } from '../support/links.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const QUERY = '/query/payment-links'

describe('the document of payment links', () => {
  let service: TestService
  let merchant: Merchant
  let ask: CheckedCall

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    await service.app.ready()
    ask = checkedCall(service.app)
  })
  afterAll(() => service.close())

  it('describes every answer', async () => {
    const { headers } = merchant
    const key = { ...headers, 'idempotency-key': 'documented' }
    const made = await ask('POST', '/payment-link', key, FULL_LINK)
    const url = `${QUERY}/${made.body.id}`
    const answers = [
      made,
      await ask('POST', '/payment-link', key, { common_name: 'Other' }),
      await ask('POST', '/payment-link', headers, {}),
      await ask('POST', '/payment-link', {}, FULL_LINK),
      await ask('POST', QUERY, headers, { common_name: 'Tips', link_meta: {} }),
      await ask('POST', QUERY, headers, { active: true, limit: 1 }),
      await ask('POST', QUERY, headers, { link_meta: 5 }),
      await ask('GET', `${QUERY}?limit=1&sort=amount`, headers),
      await ask('GET', `${QUERY}?limit=0`, headers),
      await ask('GET', url, headers),
      await ask('GET', `${QUERY}/x`, headers),
      await ask('PUT', url, headers, { amount: 0 }),
      await ask('PUT', url, headers, { amount: -1 }),
      await ask('PUT', `${QUERY}/${UNKNOWN_LINK}`, headers, {}),
      await ask('DELETE', url, headers),
      await ask('DELETE', url, headers),
      await ask('DELETE', `${QUERY}/x`, headers),
      await ask('GET', `/pay/${UNKNOWN_LINK}/qr.svg`, {}),
    ]
    expect(answers.map(({ status }) => status)).toEqual([
      ...[200, 409, 400, 401, 200, 200, 400, 200, 400, 200, 400],
      ...[200, 400, 404, 200, 404, 400, 404],
    ])
  })

  it('gives examples that are accepted as they are', async () => {
    const { paths } = documentOf(service.app)
    const exampleOf = (path: string, verb: string) =>
      paths[path]?.[verb]?.requestBody?.content['application/json']?.example
    const made = await ask(
      'POST',
      '/payment-link',
      merchant.headers,
      exampleOf('/payment-link', 'post'),
    )
    const url = `${QUERY}/${made.body.id}`
    const changed = await ask('PUT', url, merchant.headers, exampleOf(`${QUERY}/{id}`, 'put'))
    expect([made.status, changed.status]).toEqual([200, 200])
    expect(changed.body).toEqual({ ...made.body, active: false, updated_at: expect.any(String) })
    const found = await ask('POST', QUERY, merchant.headers, exampleOf(QUERY, 'post'))
    expect([found.status, Array.isArray(found.body.data)]).toEqual([200, true])
  })

  it('describes the picture by its type', () => {
    const { responses } = documentOf(service.app).paths['/pay/{id}/qr.svg']?.get ?? {}
    expect(responses?.['200']).toMatchObject({ content: { 'image/svg+xml': {} } })
    expect(responses?.['404']).toMatchObject({ content: { 'application/json': {} } })
  })
})
