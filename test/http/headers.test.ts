// The headers that every request and every answer carries.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JSON_TYPE, send } from '../support/requests.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('headers', () => {
  const logged: string[] = []
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    const log = { write: (line: string) => logged.push(line) }
    service = await openTestService({ queues: [], log })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const get = (url: string, headers: object = {}) =>
    send(service.app, { url, headers: { ...merchant.headers, ...headers } })

  describe('X-Request-Id', () => {
    it('is made if none is sent, a new one each time', async () => {
      const ids = [await get('/self'), await get('/self')].map((one) => one.headers['x-request-id'])
      expect(ids).toEqual([expect.stringMatching(UUID_7), expect.stringMatching(UUID_7)])
      expect(ids[0]).not.toBe(ids[1])
    })

    it.each(['/self', '/nothing', '/customer?x=1', '/%', '/healthz', '/openapi.json'])(
      'is taken and answered by %s',
      async (url) => {
        const answer = await get(url, { 'x-request-id': 'mine-1' })
        expect(answer.headers['x-request-id']).toBe('mine-1')
        if (answer.status >= 400) expect(answer.body.request_id).toBe('mine-1')
      },
    )

    it.each(['', 'a b', 'x'.repeat(129), 'é', '"', '<script>'])(
      'is made anew in the place of %j, which is not fit for logs',
      async (sent) => {
        const answer = await get('/self', { 'x-request-id': sent })
        expect(answer.headers['x-request-id']).toMatch(UUID_7)
      },
    )

    it('is in the log and in the rows', async () => {
      const headers = { ...merchant.headers, ...JSON_TYPE, 'x-request-id': 'trace-me-42' }
      const sent = { method: 'POST', url: '/customer', headers, payload: '{"firstname":"Ada"}' }
      const { body } = await send(service.app, sent)
      const events = await service.world.db.query(
        'SELECT request_id FROM event WHERE resource_id = $1',
        [body.id],
      )
      expect(events).toEqual([{ request_id: 'trace-me-42' }])
      const line = logged
        .map((one) => JSON.parse(one))
        .find((one) => one.request_id === 'trace-me-42')
      expect(line).toMatchObject({ method: 'POST', route: '/customer', status: 200 })
    })
  })

  describe('CORS', () => {
    const origin = 'https://shop.example'

    it('answers a preflight from any page, without a key', async () => {
      const answer = await send(service.app, {
        method: 'OPTIONS',
        url: '/charge',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, content-type, idempotency-key',
        },
      })
      expect(answer.status).toBe(204)
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' })
      const methods = String(answer.headers['access-control-allow-methods'])
      expect(methods.split(/, */)).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'DELETE']))
      expect(String(answer.headers['access-control-allow-headers']).split(/, */)).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'idempotency-key']),
      )
    })

    it.each(['/charge', '/nothing'])(
      'answers an OPTIONS of %s that is no preflight',
      async (url) => {
        const answer = await send(service.app, { method: 'OPTIONS', url })
        expect([answer.status, answer.text]).toEqual([204, ''])
      },
    )

    it.each(['/self', '/nothing', '/customer?x=1', '/transaction/x'])(
      'lets a page read the answer of %s and the headers that matter',
      async (url) => {
        const { headers } = await get(url, { origin })
        expect(headers['access-control-allow-origin']).toBe('*')
        expect(String(headers['access-control-expose-headers']).split(/, */)).toEqual([
          'Retry-After',
          'RateLimit',
          'RateLimit-Policy',
          'Idempotent-Replayed',
          'Ignored-Fields',
          'Location',
          'X-Request-Id',
        ])
      },
    )

    it.each(['/admin', '/admin/nothing', '/admin/transactions.csv', '/pay/x', '/bill/x', '/docs'])(
      'lets no page of another origin read %s',
      async (url) => {
        const { headers } = await send(service.app, { url, headers: { origin } })
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      },
    )

    it('lets a page read the refusal of its key as well', async () => {
      const answer = await send(service.app, { url: '/self', headers: { origin } })
      expect(answer.status).toBe(401)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    })

    it('names no origins except those in the settings', async () => {
      await using strict = await openTestService({ queues: [], settings: { CORS_ORIGINS: origin } })
      const ask = (from: string) => send(strict.app, { url: '/healthz', headers: { origin: from } })
      expect((await ask(origin)).headers['access-control-allow-origin']).toBe(origin)
      const stranger = (await ask('https://elsewhere.example')).headers
      expect(stranger['access-control-allow-origin']).not.toBe('https://elsewhere.example')
    })
  })
})
