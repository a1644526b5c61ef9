// Parts of an account that follow real time although its own clock is elsewhere.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../src/accounts/manage-keys.ts'
import { after, HOUR, MINUTE } from '../../src/core/time-units.ts'
import { type MovableClock, movableClock } from '../support/end-windows.ts'
import { setClock } from '../support/sandbox-clock.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const START_MS = 120_000
const LONG_TEST = { timeout: 60_000 }

/** A version 7 UUID begins with its milliseconds since 1970. */
const MS_OF_ID = 12

const PAST = '1999-01-01T00:00:00.000Z'
const FUTURE = '2090-01-01T00:00:00.000Z'

let clock: MovableClock
let service: TestService

beforeAll(async () => {
  clock = movableClock()
  service = await openTestService({ queues: [], backend: 'postgres', clock })
}, START_MS)
afterAll(() => service.close())

async function merchantAt(now: string): Promise<Merchant> {
  const merchant = await service.merchant()
  expect((await setClock({ service, merchant }, now)).body).toMatchObject({ now, status: 'ready' })
  return merchant
}

const context = async (key: string) =>
  (await call(service.app, 'GET', '/self', { authorization: `Bearer ${key}` })).status

describe.each([PAST, FUTURE])('in an account whose clock is in %s', (now) => {
  it('a key lives as long as it was meant to', LONG_TEST, async () => {
    const { accountId } = await merchantAt(now)
    const expiresAt = after(clock.now(), HOUR)
    const { key } = await createKey(service.world, {
      accountId,
      mode: 'sandbox',
      name: 'an hour',
      expiresAt,
    })
    expect(await context(key)).toBe(200)
    clock.move(HOUR)
    expect(await context(key)).toBe(401)
  })

  it("the rate limit's minute of a key passes", LONG_TEST, async () => {
    const { teamId, key } = await merchantAt(now)
    await setTeam(service.world, teamId, ['sandbox_rate_limit=2'])
    clock.move(MINUTE)
    expect([await context(key), await context(key), await context(key)]).toEqual([200, 200, 429])
    clock.move(MINUTE)
    expect(await context(key)).toBe(200)
  })

  it('ids have the real time of their making, and everything else has the time of the clock', async () => {
    const { headers } = await merchantAt(now)
    const { body } = await call(service.app, 'POST', '/customer', headers, { firstname: 'Ada' })
    const madeAt = Number.parseInt(body.id.replaceAll('-', '').slice(0, MS_OF_ID), 16)
    expect(body).toMatchObject({ created_at: now, updated_at: now })
    expect(Math.abs(madeAt - Date.now())).toBeLessThan(MINUTE)
  })
})
