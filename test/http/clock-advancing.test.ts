// While an account's clock is on its way nothing of the account can be changed, and all of it can be
// read.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/accounts/create-key.ts'
import { keepAdvancing, stopAdvancing } from '../support/advancing-clock.ts'
import { documentOf, operationsOf, refusalsOf } from '../support/document.ts'
import { call, type Merchant, openTestHouse, type TestHouse } from '../support/house.ts'
import { expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import { makeOneOfEach, type Resources } from '../support/resources.ts'
import { type Route, routeTable } from '../support/route-table.ts'
import { setTeam } from '../support/set-team.ts'

const REFUSAL = '409 clock_advancing'

const keyed = routeTable.filter(({ need }) => need !== 'no key')
const reading = keyed.filter(({ method }) => method === 'GET')
const changing = keyed.filter(({ method }) => method !== 'GET')

describe('while the clock of an account is advancing', () => {
  let house: TestHouse
  let merchant: Merchant
  let owned: Resources

  const ask = ({ at, method, kind }: Route, more: object = {}) => {
    const hasBody = method === 'POST' || method === 'PUT'
    return send(house.app, {
      method,
      url: at(kind === undefined ? undefined : owned[kind]),
      headers: { ...JSON_TYPE, ...merchant.headers },
      ...(hasBody ? { payload: '{}' } : {}),
      ...more,
    })
  }

  beforeAll(async () => {
    house = await openTestHouse({ queues: [], backend: 'postgres' })
    await house.app.ready()
    merchant = await house.merchant()
    owned = await makeOneOfEach(house, merchant)
    await setTeam(house.world, merchant.teamId, ['split_funding_enabled=true'])
  })
  beforeEach(() => keepAdvancing(house, merchant))
  afterAll(() => house.close())

  it.each(changing)('is refused: $route', async (route) => {
    expectRefusal(await ask(route), 409, 'clock_advancing')
    expectRefusal(await ask(route, { payload: '{"broken' }), 409, 'clock_advancing')
  })

  it.each(reading)('is answered: $route', async (route) => {
    expect((await ask(route)).status).toBe(200)
    const { headers } = merchant
    const url = route.at(route.kind === undefined ? undefined : owned[route.kind])
    for (const method of ['HEAD', 'OPTIONS'] as const) {
      const { statusCode } = await house.app.inject({ method, url, headers })
      expect([method, Math.floor(statusCode / 100)]).toEqual([method, 2])
    }
  })

  it.each(changing)('would not be refused for that else, as a control: $route', async (route) => {
    await stopAdvancing(house, merchant)
    expect((await ask(route, { payload: '{"broken' })).body.error).not.toBe('clock_advancing')
  })

  it('asks for a key first, and counts what it refuses', async () => {
    const url = '/customer'
    expectRefusal(await send(house.app, { method: 'POST', url }), 401, 'unauthorized')
    const answer = await call(house.app, 'POST', url, merchant.headers, {})
    expectRefusal(answer, 409, 'clock_advancing')
    expect(answer.headers.ratelimit).toMatch(/^"default";r=\d+;t=\d+$/)
  })

  it('uses up no idempotency key, and lets go at once', async () => {
    const headers = { ...merchant.headers, 'idempotency-key': 'later' }
    const create = () => call(house.app, 'POST', '/customer', headers, { firstname: 'Ada' })
    expectRefusal(await create(), 409, 'clock_advancing')
    await stopAdvancing(house, merchant)
    const made = await create()
    expect([made.status, made.headers['idempotent-replayed']]).toEqual([200, undefined])
  })

  it('hinders nobody else, not even the other account of the team', async () => {
    const { db } = house.world
    const { teamId } = merchant
    const [live] = await db.query("SELECT id FROM account WHERE team_id = $1 AND mode = 'live'", [
      teamId,
    ])
    const wanted = { accountId: live?.id, mode: 'live', name: 'live' } as const
    const { key } = await createKey(house.world, wanted)
    const other = await house.merchant()
    for (const headers of [{ authorization: `Bearer ${key}` }, other.headers]) {
      const { status } = await call(house.app, 'POST', '/customer', headers, { company: 'B' })
      expect(status).toBe(200)
    }
  })

  it('is told of by every operation that does more than read, and by no other', () => {
    const operations = operationsOf(documentOf(house.app))
    const telling = operations.filter(({ operation }) => refusalsOf(operation).includes(REFUSAL))
    const expected = operations.filter(
      ({ method, operation }) => method !== 'GET' && operation.security !== undefined,
    )
    expect(expected.length).toBeGreaterThan(10)
    expect(telling.map(({ route }) => route)).toEqual(expected.map(({ route }) => route))
  })
})
