// An operator ends the advance of a clock. It stands at the instant that it has reached, with all
// work up to there done and none after it, and can be advanced again.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { stopAdvance } from '../../src/sandbox-clock/stop-advance.ts'
import { audit } from '../chaos/audit.ts'
import { advanceTo, clockOf, scheduleOf, setClock, untilReady } from '../support/sandbox-clock.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { soon } from '../support/soon.ts'
import { type Till, tillOf } from '../support/till.ts'

const LONG = { timeout: 120_000 }
const START = '2027-03-01T12:00:00.000Z'
const QUARTER_MS = 15 * 60_000

let scene: Scene
let till: Till

beforeAll(async () => {
  scene = await openScene()
  const merchant = await scene.service.merchant()
  till = await tillOf(scene.service, merchant, await scene.service.card(merchant))
})
afterAll(() => scene.service.close())

const at = (quarters: number) => new Date(Date.parse(START) + quarters * QUARTER_MS)

const runs = async () => {
  const [row] = await scene.service.world.db.query(
    'SELECT count(*)::int AS runs FROM invoice WHERE account_id = $1',
    [till.merchant.accountId],
  )
  return row?.runs
}

it('stops where the clock is, and nothing is left out or done twice', LONG, async () => {
  const { world } = scene.service
  await setClock(till, START)
  const rule = 'FREQ=MINUTELY;INTERVAL=15'
  await scheduleOf(till, { rule, start: at(1).toISOString(), timezone: 'UTC' })
  await setClock(till, at(5_000))
  await soon(async () => expect(await runs()).toBeGreaterThan(3))

  const stoppedAt = await stopAdvance(world, till.merchant.teamId)
  await untilReady(till)
  const { now, target } = await clockOf(till)
  expect([now, target]).toEqual([stoppedAt?.toISOString(), null])
  expect(Date.parse(now)).toBeLessThan(at(5_000).getTime())
  const done = Math.floor((Date.parse(now) - Date.parse(START)) / QUARTER_MS)
  expect(await runs()).toBe(done)
  expect(await stopAdvance(world, till.merchant.teamId)).toBeUndefined()

  await advanceTo(till, at(done + 2))
  expect(await runs()).toBe(done + 2)
  expect(await audit(scene.service.databaseUrl, [])).toEqual([])
})
