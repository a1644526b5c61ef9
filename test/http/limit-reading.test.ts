// One account that reads a lot waits for itself, and no other account waits for it.

import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** Many more than there are connections. */
const READERS = 40

let service: TestService
let one: Merchant
let other: Merchant
let holder: pg.Client

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  ;[one, other] = [await service.merchant(), await service.merchant()]
  holder = new pg.Client(service.databaseUrl)
  await holder.connect()
})
afterAll(async () => {
  await holder.end()
  await service.close()
})

const get = (merchant: Merchant, path: string) => call(service.app, 'GET', path, merchant.headers)

it.each([
  ['GET', '/customer', 'customer'],
  ['POST', '/query/payment-links', 'payment_link'],
] as const)('what one account reads for long by %s %s leaves connections', async (...row) => {
  const [method, path, table] = row
  await holder.query('BEGIN')
  await holder.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  let answered = 0
  const read = () => call(service.app, method, path, one.headers)
  const reading = Array.from({ length: READERS }, read)
  for (const answer of reading) void answer.then(() => (answered += 1))
  for (let n = 0; n < 5; n += 1) expect((await get(other, '/batch')).status).toBe(200)
  expect(answered).toBe(0)
  await holder.query('COMMIT')
  const statuses = (await Promise.all(reading)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  // Each has ended its turn, so that there is one for the next request.
  expect((await read()).status).toBe(200)
})
