// A new route cannot forget to ask for a key.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, buildApp } from '../../src/http/app.ts'
import { withoutKeys } from '../../src/http/require-keys.ts'
import { expectRefusal, send } from '../support/requests.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const url = '/new'

describe('a route that is added to the app', () => {
  let service: TestService
  let merchant: Merchant
  let app: App

  beforeAll(async () => {
    service = await openTestService({ queues: [], backend: 'postgres' })
    merchant = await service.merchant()
  })
  beforeEach(async () => {
    app = await buildApp(service.world)
  })
  afterEach(() => app.close())
  afterAll(() => service.close())

  it('needs a key if it says nothing about keys', async () => {
    app.route({ method: ['GET', 'POST'], url, handler: () => 'seen' })
    expectRefusal(await send(app, { url }), 401, 'unauthorized')
    expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(401)
    expectRefusal(await send(app, { url, method: 'POST' }), 401, 'unauthorized')
    expect((await send(app, { url, headers: merchant.headers })).status).toBe(200)
  })

  it('needs one in a plugin too', async () => {
    await app.register(async (own) => own.get(url, () => 'seen'))
    expectRefusal(await send(app, { url }), 401, 'unauthorized')
  })

  it('keeps the checks of its own, after that of the key', async () => {
    app.get(url, { onRequest: async (_request, reply) => reply.code(204).send() }, () => 'seen')
    expectRefusal(await send(app, { url }), 401, 'unauthorized')
    expect((await send(app, { url, headers: merchant.headers })).status).toBe(204)
  })

  it('needs none if it is added without keys, also in a plugin', async () => {
    await withoutKeys(app, async (open) => {
      open.get(url, () => 'seen')
      await open.register(async (own) => own.get('/within', () => 'seen'))
    })
    expect((await send(app, { url })).status).toBe(200)
    expect((await send(app, { url: '/within' })).status).toBe(200)
  })

  it('does not start if it is added without keys, and needs an active team', async () => {
    const added = withoutKeys(app, (open) => {
      open.get(url, { config: { needsActiveTeam: true } }, () => 'seen')
    })
    await expect(added).rejects.toThrow('/new is added without keys')
  })
})
