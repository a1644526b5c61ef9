// The answer of every route to a key that it must not serve.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, JSON_TYPE, send, withoutRequestId } from '../support/requests.ts'
import { makeOneOfEach, type Resources, rowOf } from '../support/resources.ts'
import { ROUTES, type Route, routeTable } from '../support/route-table.ts'
import { routesOf } from '../support/routes.ts'
import { setTeam } from '../support/set-team.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const keyed = routeTable.filter(({ need }) => need !== 'no key')
const inGoodStanding = keyed.filter(({ need }) => need === 'a key of a team in good standing')
const named = keyed.flatMap((route) =>
  route.kind === undefined ? [] : [{ ...route, kind: route.kind }],
)

/** The routes that move money, and those that report it. */
const MONEY = /^\/(charge$|transaction(\/|$)|invoice\/\{id\}\/pay(\/|$))/

/** All features are on, so that no route refuses for another reason. */
const ALL_FLAGS = [
  'sms_enabled=true',
  'split_funding_enabled=true',
  'settlement_tokenization_enabled=true',
]

describe('every route', () => {
  let service: TestService
  let merchant: Merchant
  let owned: Resources
  let stranger: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    owned = await makeOneOfEach(service, merchant)
    stranger = await service.merchant()
    for (const { teamId } of [merchant, stranger]) await setTeam(service.world, teamId, ALL_FLAGS)
  })
  afterAll(() => service.close())

  const ask = (route: Route, headers: Readonly<Record<string, string>>, id?: string) => {
    const { method } = route
    const hasBody = method === 'POST' || method === 'PUT'
    // A replay must name a time; routes that move money would refuse the field.
    const body = route.route.endsWith('/replay') ? { since: new Date() } : {}
    const payload = hasBody ? { payload: JSON.stringify(body) } : {}
    return send(service.app, {
      method,
      url: route.at(id),
      headers: { ...JSON_TYPE, ...headers },
      ...payload,
    })
  }

  it('is in the table, and the table has no other', async () => {
    expect([...(await routesOf(service.world))].sort()).toEqual(Object.keys(ROUTES).sort())
  })

  it('requires a team in good standing if it moves money, and only then', () => {
    const context = keyed.filter(({ route }) => MONEY.test(route.split(' ')[1] ?? ''))
    expect(inGoodStanding.map(({ route }) => route)).toEqual(context.map(({ route }) => route))
  })

  it.each(keyed)('requires a key before anything else: $route', async (route) => {
    const { method } = route
    const isRead = method === 'GET' || method === 'DELETE'
    const answer = await send(service.app, {
      method,
      url: `${route.at('malformed')}?nonsense=1`,
      headers: JSON_TYPE,
      ...(isRead ? {} : { payload: '{"broken' }),
    })
    expectRefusal(answer, 401, 'unauthorized')
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  it.each(keyed)('accepts a valid key, as a control: $route', async (route) => {
    expect([401, 403]).not.toContain((await ask(route, merchant.headers)).status)
  })

  it.each(named)("answers another account's id like an unknown one: $route", async (route) => {
    const { kind } = route
    const before = await rowOf(service, kind, owned[kind])
    const foreign = await ask(route, stranger.headers, owned[kind])
    const unknown = await ask(route, stranger.headers)
    expectRefusal(foreign, 404, 'not_found')
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
    expect(await rowOf(service, kind, owned[kind])).toBe(before)
  })

  it.each(named.filter(({ method }) => method === 'GET'))(
    'knows the id by the key of its own account, as a control: $route',
    async (route) => {
      expect((await ask(route, merchant.headers, owned[route.kind])).status).not.toBe(404)
    },
  )

  it.each(routeTable.filter(({ need }) => need === 'no key'))(
    'without need of a key looks at none: $route',
    async (route) => {
      const { status } = await ask(route, {})
      expect((await ask(route, { authorization: 'Bearer nonsense' })).status).toBe(status)
      expect([401, 403]).not.toContain(status)
      if (route.method === 'GET' && route.kind === undefined) expect(status).toBe(200)
    },
  )

  describe.each([
    ['status=inactive', 'team_inactive'],
    ['enabled=false', 'team_disabled'],
  ])('a team with %s', (change, code) => {
    let fallen: Merchant
    let ids: Resources

    beforeAll(async () => {
      fallen = await service.merchant()
      ids = await makeOneOfEach(service, fallen)
      await setTeam(service.world, fallen.teamId, [change, 'sms_enabled=true'])
    })

    it.each(inGoodStanding)('is refused on routes that move money: $route', async (route) => {
      const id = route.kind === undefined ? undefined : ids[route.kind]
      expectRefusal(await ask(route, fallen.headers, id), 403, code)
    })

    it.each(keyed.filter((route) => !inGoodStanding.includes(route)))(
      'is open where none does: $route',
      async (route) => {
        expect([401, 403]).not.toContain((await ask(route, fallen.headers)).status)
      },
    )
  })
})
