// A question that the gateway was not asked decides nothing, not even at the deadline.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Gateway, TooManyRequests } from '../../src/outside/gateway/port.ts'
import { soon } from '../support/soon.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
let isBusy = true
let isSent = false
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
      isSent = true
      throw new Error('the connection was cut')
    },
    lookUp: asked(sandbox.lookUp),
    giveUp: asked(sandbox.giveUp),
  }
}

beforeAll(async () => {
  service = await openTestService({
    withGateway: busyGateway,
    settings: { CHARGE_WAIT_MS: '100ms' },
  })
  merchant = await service.merchant()
})
afterAll(() => service.close())

it('is asked later, again and again with pauses, until it was', async () => {
  const payment = { total: 5, payment_method_id: await service.card(merchant) }
  const { body } = await service.charge(merchant, payment)
  expect(body.status).toBe('PENDING')
  const { db } = service.world
  const row = async () => {
    const [found] = await db.query('SELECT status, parked_at FROM transaction WHERE id = $1', [
      body.id,
    ])
    return found
  }
  // One that is late before its order was sent is not sent any more.
  await soon(() => expect(isSent).toBe(true))
  await db.query('UPDATE transaction SET deadline_at = created_at WHERE id = $1', [body.id])
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
