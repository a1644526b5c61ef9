// While an account's clock is advancing, its data can be read and cannot be changed.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/accounts/manage-keys.ts'
import { keepAdvancing, stopAdvancing } from '../support/advancing-clock.ts'
import { documentOf, operationsOf, refusalsOf } from '../support/document.ts'
import { expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import { makeOneOfEach, type Resources } from '../support/resources.ts'
import { type Route, routeTable } from '../support/route-table.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const REFUSAL = '409 clock_advancing'

const keyed = routeTable.filter(({ need }) => need !== 'no key')
const reading = keyed.filter(({ method }) => method === 'GET')
const changing = keyed.filter(({ method }) => method !== 'GET')

describe('while the clock of an account is advancing', () => {
  let service: TestService
  let merchant: Merchant
  let owned: Resources

  const ask = ({ at, method, kind }: Route, more: object = {}) => {
    const hasBody = method === 'POST' || method === 'PUT'
    return send(service.app, {
      method,
      url: at(kind === undefined ? undefined : owned[kind]),
      headers: { ...JSON_TYPE, ...merchant.headers },
      ...(hasBody ? { payload: '{}' } : {}),
      ...more,
    })
  }

  beforeAll(async () => {
    service = await openTestService({ queues: [], backend: 'postgres' })
    await service.app.ready()
    merchant = await service.merchant()
    owned = await makeOneOfEach(service, merchant)
    await setTeam(service.world, merchant.teamId, ['split_funding_enabled=true'])
  })
  beforeEach(() => keepAdvancing(service, merchant))
  afterAll(() => service.close())

  it.each(changing)('is refused: $route', async (route) => {
    expectRefusal(await ask(route), 409, 'clock_advancing')
    expectRefusal(await ask(route, { payload: '{"broken' }), 409, 'clock_advancing')
  })

  it.each(reading)('is answered: $route', async (route) => {
    expect((await ask(route)).status).toBe(200)
    const { headers } = merchant
    const url = route.at(route.kind === undefined ? undefined : owned[route.kind])
    for (const method of ['HEAD', 'OPTIONS'] as const) {
      const { statusCode } = await service.app.inject({ method, url, headers })
      expect([method, Math.floor(statusCode / 100)]).toEqual([method, 2])
    }
  })

  it.each(changing)(
    'would not be refused for another reason, as a control: $route',
    async (route) => {
      await stopAdvancing(service, merchant)
      expect((await ask(route, { payload: '{"broken' })).body.error).not.toBe('clock_advancing')
    },
  )

  it('requires a key first, and counts the refused requests', async () => {
    const url = '/customer'
    expectRefusal(await send(service.app, { method: 'POST', url }), 401, 'unauthorized')
    const answer = await call(service.app, 'POST', url, merchant.headers, {})
    expectRefusal(answer, 409, 'clock_advancing')
    expect(answer.headers.ratelimit).toMatch(/^"default";r=\d+;t=\d+$/)
  })

  it('uses up no idempotency key, and releases the account at once', async () => {
    const headers = { ...merchant.headers, 'idempotency-key': 'later' }
    const create = () => call(service.app, 'POST', '/customer', headers, { firstname: 'Ada' })
    expectRefusal(await create(), 409, 'clock_advancing')
    await stopAdvancing(service, merchant)
    const made = await create()
    expect([made.status, made.headers['idempotent-replayed']]).toEqual([200, undefined])
  })

  it('delays no other account, not even the other account of the team', async () => {
    const { db } = service.world
    const { teamId } = merchant
    const [live] = await db.query("SELECT id FROM account WHERE team_id = $1 AND mode = 'live'", [
      teamId,
    ])
    const wanted = { accountId: live?.id, mode: 'live', name: 'live' } as const
    const { key } = await createKey(service.world, wanted)
    const other = await service.merchant()
    for (const headers of [{ authorization: `Bearer ${key}` }, other.headers]) {
      const { status } = await call(service.app, 'POST', '/customer', headers, { company: 'B' })
      expect(status).toBe(200)
    }
  })

  it('is documented by every operation that writes, and by no other', () => {
    const operations = operationsOf(documentOf(service.app))
    const documented = operations.filter(({ operation }) => refusalsOf(operation).includes(REFUSAL))
    const expected = operations.filter(
      ({ method, operation }) => method !== 'GET' && operation.security !== undefined,
    )
    expect(expected.length).toBeGreaterThan(10)
    expect(documented.map(({ route }) => route)).toEqual(expected.map(({ route }) => route))
  })
})
