// A question that the gateway was not asked decides nothing, not even at the deadline.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Gateway, TooManyRequests } from '../../src/outside/gateway/port.ts'
import { soon } from '../support/soon.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
let isBusy = true
let questions = 0

/** Its orders get no answer; while it is busy, no question is sent to it. */
function busyGateway(sandbox: Gateway): Gateway {
  const asked =
    (ask: Gateway['lookUp']): Gateway['lookUp'] =>
    async (order, signal) => {
      questions += 1
      if (isBusy) throw new TooManyRequests('too many at once')
      return ask(order, signal)
    }
  return {
    ...sandbox,
    carryOut: async (order, signal) => {
      await sandbox.carryOut(order, signal)
      throw new Error('the connection was cut')
    },
    lookUp: asked(sandbox.lookUp),
    giveUp: asked(sandbox.giveUp),
  }
}

beforeAll(async () => {
  service = await openTestService({
    withGateway: busyGateway,
    settings: { CHARGE_WAIT_MS: '100ms', PENDING_DEADLINE_MS: '500ms' },
  })
  merchant = await service.merchant()
})
afterAll(() => service.close())

it('is asked later, again and again with pauses, until it was', async () => {
  const payment = { total: 5, payment_method_id: await service.card(merchant) }
  const { body } = await service.charge(merchant, payment)
  expect(body.status).toBe('PENDING')
  const row = async () => {
    const rows =
      'SELECT status, parked_at, deadline_at < now() AS is_late FROM transaction WHERE id = $1'
    return (await service.world.db.query(rows, [body.id]))[0]
  }
  await soon(async () => expect((await row())?.is_late).toBe(true))
  const before = questions
  await soon(() => expect(questions).toBeGreaterThan(before + 3))
  expect(await row()).toMatchObject({ status: 'PENDING', parked_at: null })
  // The pauses of this service are 0.4 s in the end.
  const [startedMs, then] = [performance.now(), questions]
  await soon(() => expect(questions).toBeGreaterThan(then + 3))
  expect(performance.now() - startedMs).toBeGreaterThan(400)
  isBusy = false
  await soon(async () => expect((await row())?.status).toBe('SUCCESS'))
})
