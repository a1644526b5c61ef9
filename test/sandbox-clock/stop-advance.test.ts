// An operator ends the advance of a clock. It stands at the instant that it has reached, with all
// work up to there done and none after it, and can be advanced again.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { stopAdvance } from '../../src/sandbox-clock/stop-advance.ts'
import { audit } from '../chaos/audit.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { newPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { advanceTo, clockOf, scheduleOf, setClock, untilReady } from '../support/sandbox-clock.ts'
import { soon } from '../support/soon.ts'

const LONG = { timeout: 120_000 }
const START = '2027-03-01T12:00:00.000Z'
const QUARTER_MS = 15 * 60_000

let setup: FaultySetup
let api: PaymentsApi

beforeAll(async () => {
  setup = await openFaultySetup({ queues: QUEUE_NAMES })
  api = await newPaymentsApi(setup.service)
})
afterAll(() => setup.service.close())

const at = (quarters: number) => new Date(Date.parse(START) + quarters * QUARTER_MS)

const runs = async () => {
  const [row] = await setup.service.world.db.query(
    'SELECT count(*)::int AS runs FROM invoice WHERE account_id = $1',
    [api.merchant.accountId],
  )
  return row?.runs
}

it('stops where the clock is, and nothing is left out or done twice', LONG, async () => {
  const { world } = setup.service
  await setClock(api, START)
  const rule = 'FREQ=MINUTELY;INTERVAL=15'
  await scheduleOf(api, { rule, start: at(1).toISOString(), timezone: 'UTC' })
  await setClock(api, at(5_000))
  await soon(async () => expect(await runs()).toBeGreaterThan(3))

  const stoppedAt = await stopAdvance(world, api.merchant.teamId)
  await untilReady(api)
  const { now, target } = await clockOf(api)
  expect([now, target]).toEqual([stoppedAt?.toISOString(), null])
  expect(Date.parse(now)).toBeLessThan(at(5_000).getTime())
  const done = Math.floor((Date.parse(now) - Date.parse(START)) / QUARTER_MS)
  expect(await runs()).toBe(done)
  expect(await stopAdvance(world, api.merchant.teamId)).toBeUndefined()

  await advanceTo(api, at(done + 2))
  expect(await runs()).toBe(done + 2)
  expect(await audit(setup.service.databaseUrl, [])).toEqual([])
})
