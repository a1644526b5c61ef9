// A list of transactions is read page by page while others are made.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { listInAccount } from '../../src/payments/anywhere/transactions-anywhere.ts'
import { listTransactions } from '../../src/payments/lists/list-transactions.ts'
import type { Listing } from '../../src/payments/lists/listing.ts'
import { idsInRounds } from '../../src/payments/lists/walk.ts'
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

describe('a file that is read while payments change', () => {
  const STATUSES = ['SUCCESS', 'FAILED'] as const
  const ORDERS = ['asc', 'desc'] as const

  it.each(STATUSES.flatMap((status) => ORDERS.map((order) => [status, order] as const)))(
    'has a payment that becomes %s once, by status %s',
    async (status, order) => {
      await addPending()
      const ids = await allIds()
      const given = await readWhole({ sort: 'status', order }, () => decidePending(status))
      expect(given.toSorted()).toEqual(ids)
    },
  )

  it.each(ORDERS)('has a payment that changes, by updated_at %s', async (order) => {
    const ids = await allIds()
    let isChanged = false
    const given = await readWhole({ sort: 'updated_at', order }, async () => {
      if (!isChanged) await touchOldest()
      isChanged = true
    })
    expect([...new Set(given)].toSorted()).toEqual(ids)
  })

  /** Each time that a part was read, `change` is called before the next. */
  async function readWhole(order: Pick<Listing, 'sort' | 'order'>, change: () => Promise<void>) {
    const changing: Query = async (text, values) => {
      const rows = await service.world.db.query(text, values)
      if (isPart(text)) await change()
      return rows
    }
    const given: string[] = []
    const asked = { ...listing({}, order), accountId: merchant.accountId }
    for await (const ids of idsInRounds(changing, asked, TAKE)) given.push(...ids)
    return given
  }

  const isPart = (text: string) => text.includes('AS place')

  async function allIds(): Promise<readonly string[]> {
    const rows = await query('SELECT id FROM transaction WHERE account_id = $1')
    return rows.map(({ id }) => id).toSorted()
  }

  async function addPending(): Promise<void> {
    const card = await service.card(merchant)
    const charge = { total: 12, payment_method_id: card }
    const headers = { ...merchant.headers, prefer: 'respond-async' }
    expect((await call(service.app, 'POST', '/charge', headers, charge)).status).toBe(202)
  }

  const decidePending = async (status: (typeof STATUSES)[number]) => {
    await query(
      `UPDATE transaction SET status = $2::text::transaction_status, owed = NULL, due_at = NULL, version = version + 1, outcome_sequence = 1,
        business_date = CASE $2::text WHEN 'SUCCESS' THEN DATE '2026-01-05' END,
        captured = CASE $2::text WHEN 'SUCCESS' THEN total ELSE 0 END
      WHERE account_id = $1 AND status = 'PENDING'`,
      status,
    )
  }

  const touchOldest = async () => {
    await query(`UPDATE transaction t SET updated_at = o.newest + interval '1 s'
      FROM (SELECT (array_agg(id ORDER BY updated_at))[1] AS id, max(updated_at) AS newest
        FROM transaction WHERE account_id = $1) o
      WHERE t.account_id = $1 AND t.id = o.id`)
  }

  const query = (text: string, ...values: readonly unknown[]) =>
    service.world.db.query(text, [merchant.accountId, ...values])
})
