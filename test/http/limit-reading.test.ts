// An account that reads a lot waits for its own requests, and delays no other account.

import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** Many more than there are connections. */
const READERS = 40

/** As many connections as by default, so that an account has several turns. */
const SETTINGS = { DATABASE_CONNECTIONS: '34', CHARGE_WAIT_MS: '0' }

let service: TestService
let one: Merchant
let other: Merchant
let holder: pg.Client
let address: string

beforeAll(async () => {
  service = await openTestService({ queues: [], settings: SETTINGS })
  address = await service.app.listen({ port: 0, host: '127.0.0.1' })
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
  ['HEAD', '/customer', 'customer'],
  ['POST', '/query/payment-links', 'payment_link'],
] as const)('what one account reads for long by %s %s leaves connections', async (...row) => {
  const [method, path, table] = row
  await holder.query('BEGIN')
  await holder.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  let answered = 0
  const read = () => service.app.inject({ method, url: path, headers: one.headers })
  const reading = Array.from({ length: READERS }, read)
  for (const answer of reading) void answer.then(() => (answered += 1))
  for (let n = 0; n < 5; n += 1) expect((await get(other, '/batch')).status).toBe(200)
  expect(answered).toBe(0)
  await holder.query('COMMIT')
  const statuses = (await Promise.all(reading)).map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set([200]))
  // Each request has ended its turn, so that the next one gets it.
  expect((await read()).statusCode).toBe(200)
})

it('searches for keywords take turns, and other reads of their account go on', async () => {
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE customer IN ACCESS EXCLUSIVE MODE')
  let answered = 0
  const search = () => get(one, '/customer?keywords=ada')
  const searches = Array.from({ length: READERS }, search)
  for (const answer of searches) void answer.then(() => (answered += 1))
  const waiting = `
    SELECT count(*)::integer AS count FROM pg_locks WHERE NOT granted AND relation = 'customer'::regclass`
  // One search counts its customers while it reads a page of them.
  const waitingOf = async () => (await holder.query(waiting)).rows[0].count
  await expect.poll(waitingOf).toBe(2)
  for (let n = 0; n < 5; n += 1) expect((await get(one, '/item')).status).toBe(200)
  expect([answered, await waitingOf()]).toEqual([0, 2])
  await holder.query('COMMIT')
  const statuses = (await Promise.all(searches)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await search()).status).toBe(200)
})

it('a request that was answered while it waited keeps no turn, to read or to search', async () => {
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE customer IN ACCESS EXCLUSIVE MODE')
  const status = async (path: string, { headers }: Merchant) =>
    (await fetch(address + path, { headers })).status
  const [read, search] = [
    () => status('/customer', one),
    () => status('/customer?keywords=ada', other),
  ]
  // They are answered at the same moment, and some get their turn after that.
  const waiting = [read, search].flatMap((ask) => Array.from({ length: READERS }, ask))
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]))
  await holder.query('COMMIT')
  for (const ask of [read, search]) {
    for (let n = 0; n < 5; n += 1) expect(await ask()).toBe(200)
  }
})

it('a transaction is read while the searches of its account wait', async () => {
  const alone = await recorded()
  const parent = await recorded()
  await holder.query('UPDATE transaction SET children = 1 WHERE id = $1', [parent])
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE item IN ACCESS EXCLUSIVE MODE')
  const searches = Array.from({ length: READERS }, () => get(one, '/item'))
  let isParentRead = false
  const reading = get(one, `/transaction/${parent}`)
  void reading.then(() => (isParentRead = true))
  for (let n = 0; n < 5; n += 1) expect((await get(one, `/transaction/${alone}`)).status).toBe(200)
  // Its children are a search like the others.
  expect(isParentRead).toBe(false)
  await holder.query('COMMIT')
  const answers = await Promise.all([reading, ...searches])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

async function recorded(): Promise<string> {
  const customer = await call(service.app, 'POST', '/customer', one.headers, { firstname: 'Ada' })
  const body = { type: 'charge', method: 'cash', total: 1, customer_id: customer.body.id }
  return (await call(service.app, 'POST', '/transaction', one.headers, body)).body.id
}
