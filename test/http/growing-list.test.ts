// A list of transactions is read page by page while others are made.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { listInAccount } from '../../src/payments/anywhere/list-anywhere.ts'
import { listTransactions } from '../../src/payments/lists/list-transactions.ts'
import { accountContextOf } from '../../src/payments/transaction/account-context.ts'
import type { World } from '../../src/world.ts'
import { listing } from '../support/listings.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const ROWS = 12
const TAKE = 3

let service: TestService
let merchant: Merchant
let customer: string

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
  customer = (await ask('/customer', { firstname: 'Ada' })).body.id
  for (let n = 0; n < ROWS; n += 1) await addOne()
})
afterAll(() => service.close())

const ask = (path: string, body: object) => call(service.app, 'POST', path, merchant.headers, body)

async function addOne(): Promise<void> {
  const cash = { total: 12, type: 'charge', method: 'cash', customer_id: customer }
  expect((await ask('/transaction', cash)).status).toBe(200)
}

/** A transaction is made after each statement of a list. */
function busyWorld(): World {
  const { world } = service
  const adding =
    (query: Query): Query =>
    async (text, values) => {
      const rows = await query(text, values)
      await addOne()
      return rows
    }
  const db = {
    ...world.db,
    query: adding(world.db.query),
    snapshot: ((read) =>
      world.db.snapshot((query) => read(adding(query)))) satisfies World['db']['snapshot'],
  }
  return { ...world, db }
}

const SORTS = ['created_at', 'updated_at', 'total', 'status'] as const

it.each(SORTS)('upwards by %s its last page stays, whatever is added meanwhile', async (sort) => {
  const { accountId } = merchant
  const { filters } = listing({})
  const account = { accountId, mode: 'sandbox', clockAt: null } as const
  const context = accountContextOf(service.world, {
    ...account,
    settlementTokenizationEnabled: false,
  })
  for (const read of [
    (page: LastPage) => listTransactions(busyWorld(), context, page, filters),
    (page: LastPage) => listInAccount(busyWorld(), accountId, filters, page),
  ]) {
    const known = await service.world.db.query(
      `SELECT id FROM transaction WHERE account_id = $1 ORDER BY ${sort}, id`,
      [accountId],
    )
    const ids = known.map(({ id }) => id)
    const skip = ids.length - TAKE
    const listed = await read({ number: 1, skip, take: TAKE, sort, order: 'asc' })
    expect(listed.rows.map(({ id }) => id)).toEqual(ids.slice(skip))
    expect(listed.total).toBe(ids.length)
  }
})

type LastPage = Parameters<typeof listTransactions>[2]
