// One account asks the database thousands of things at once, as when thousands of its schedules are
// due at the same minute.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findPending } from '../../src/payments/take/take-payment.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const CROWD = 10_000

/** Without turns all of them come first. A slow connection may hold up the other's round a while. */
const ANSWERED_BEFORE = CROWD / 2

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

it('the question of another account does not wait until all of these are answered', async () => {
  const ask = (accountId: string) => {
    const now = new Date()
    return service.world.db.ask(findPending, { accountId, id: randomUUID(), work: 'charge', now })
  }
  const busy = randomUUID()
  let answered = 0
  const crowd = Array.from({ length: CROWD }, () => ask(busy).then(() => (answered += 1)))
  await crowd[0]
  await ask(randomUUID())
  const before = answered
  await Promise.all(crowd)
  expect(before).toBeLessThan(ANSWERED_BEFORE)
})
