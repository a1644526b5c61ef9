// The lists of customers, payment links and invoices over all accounts, and the queries of their
// pages, use indexes, however many rows there are. LIST_ROWS makes more.

import { describe, expect, it } from 'vitest'
import { CUSTOMER_ROWS } from '../../src/customers/list-customers.ts'
import { newestStatement } from '../../src/db/newest-anywhere.ts'
import type { Statement } from '../../src/db/terms.ts'
import { INVOICE_ROWS } from '../../src/invoices/list-invoices.ts'
import { type LinkFilter, linksAnywhere } from '../../src/links/links-anywhere.ts'
import { newestOwned, sumsOfOwned } from '../../src/payments/anywhere/owned.ts'
import { runExplained } from '../support/explained.ts'
import { filledDatabase } from '../support/filled-database.ts'
import { CROWDED, fillCrowd } from '../support/transaction-crowd.ts'

const ROWS = Number(process.env.LIST_ROWS ?? 4_000)

const ACCOUNTS = 50

/** One account of fifty has most of the rows. */
const OF = `CASE WHEN n % 50 < 40 THEN '${CROWDED}'::uuid ELSE a.ids[1 + n % ${ACCOUNTS}] END`

/** Like our ids, these contain the time. */
const ID = `(lpad(to_hex(1767225600000 + n::bigint * 3600000), 12, '0') || '7000' || '8000000000' || lpad(to_hex(n % 1000000), 6, '0'))::uuid`

const AT = `timestamptz '2026-01-01' + n * interval '1 hour'`

const FILL = [
  'SET session_replication_role = replica',
  `INSERT INTO team (id, name, created_at, updated_at)
     SELECT gen_random_uuid(), 'Shop ' || n, now(), now() FROM generate_series(1, ${ACCOUNTS}) AS n`,
  `INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
     SELECT gen_random_uuid(), id, 'live', 600, now() FROM team`,
  `INSERT INTO team (id, name, created_at, updated_at) VALUES ('${CROWDED}', 'Crowd', now(), now())`,
  `INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
     VALUES ('${CROWDED}', '${CROWDED}', 'live', 600, now())`,
  `INSERT INTO customer (account_id, id, firstname, email, cc_emails, cc_sms, meta, created_at,
      updated_at, deleted_at)
     SELECT ${OF}, ${ID}, md5(n::text), 'c' || n || '@example.com', '{}', '{}', '{}', ${AT}, ${AT},
       CASE WHEN n % 97 = 0 THEN ${AT} END
     FROM generate_series(1, ${ROWS}) AS n, (SELECT array_agg(id) AS ids FROM account) a`,
  `INSERT INTO invoice (account_id, id, status, total, currency, customer_id, token, meta,
      request_id, created_at, updated_at, deleted_at)
     SELECT ${OF}, ${ID}, (CASE WHEN n % 97 = 0 THEN 'DELETED' WHEN n % 1000 = 1 THEN 'ATTEMPTED'
         ELSE 'SENT' END)::invoice_status, 500, 'USD', ${ID}, md5(n::text), '{}', 'r', ${AT}, ${AT},
       CASE WHEN n % 97 = 0 THEN ${AT} END
     FROM generate_series(1, ${ROWS}) AS n, (SELECT array_agg(id) AS ids FROM account) a`,
  `INSERT INTO payment_link (account_id, id, common_name, amount, active, link_meta, meta,
      created_at, updated_at, deleted_at)
     SELECT ${OF}, md5(n::text), 'Link ' || n, 500, n % 500 > 0, '{}', '{}', ${AT}, ${AT},
       CASE WHEN n % 997 = 0 THEN ${AT} END
     FROM generate_series(1, ${ROWS}) AS n, (SELECT array_agg(id) AS ids FROM account) a`,
  `INSERT INTO reversal (account_id, id, transaction_id, gateway_name, gateway_id, kind, reason,
      amount, currency, created_at)
     SELECT ${OF}, ${ID}, ${ID}, 'stripe', 're_' || n, 'debit_returned', 'r', 500, 'USD', ${AT}
     FROM generate_series(1, ${ROWS}) AS n, (SELECT array_agg(id) AS ids FROM account) a`,
  `INSERT INTO dispute (account_id, id, transaction_id, gateway_name, gateway_id, place, status,
      reason, amount, currency, opened_at, read_at, created_at, updated_at)
     SELECT ${OF}, ${ID}, ${ID}, 'stripe', 'dp_' || n, '', 'under_review', 'r', 500, 'USD', ${AT}, ${AT},
       ${AT}, ${AT}
     FROM generate_series(1, ${ROWS}) AS n, (SELECT array_agg(id) AS ids FROM account) a`,
  'SET session_replication_role = DEFAULT',
  'ANALYZE',
]

const database = filledDatabase(async (client) => {
  await fillCrowd(client, 4_000, 4_000)
  for (const statement of FILL) await client.query(statement)
})

const asked = (statement: Statement) => runExplained(database.client, statement)

const ALL = { accountIds: undefined, before: undefined, most: 51 }

const OF_MONTHS = {
  ...ALL,
  created: { from: new Date('2026-01-05'), before: new Date('2026-03-06') },
}

/** In an account with many rows, a query reads no more than the page needs. */
const MOST_BUFFERS = 3_000

describe('over all accounts', () => {
  const id = (n: number) => `SELECT ${ID} AS id FROM (SELECT ${n} AS n) of`
  const links: LinkFilter = { ...ALL, state: undefined, name: undefined }

  it.each<readonly [string, () => Statement | Promise<Statement>]>([
    ['customers', () => newestStatement(CUSTOMER_ROWS, ALL, {})],
    [
      'the oldest customers',
      () => newestStatement(CUSTOMER_ROWS, { ...ALL, direction: 'asc' }, {}),
    ],
    ['an address', () => newestStatement(CUSTOMER_ROWS, ALL, { email: 'C77@example.com' })],
    ['an unknown address', () => newestStatement(CUSTOMER_ROWS, ALL, { email: 'nobody' })],
    [
      'customers by their ids',
      async () => {
        const { rows } = await database.client.query(id(77))
        return newestStatement(CUSTOMER_ROWS, ALL, { ids: [rows[0].id] })
      },
    ],
    ['invoices', () => newestStatement(INVOICE_ROWS, ALL, {})],
    ['invoices of a rare state', () => newestStatement(INVOICE_ROWS, ALL, { status: 'ATTEMPTED' })],
    ['invoices of no state', () => newestStatement(INVOICE_ROWS, ALL, { status: 'PAID' })],
    ['deleted invoices', () => newestStatement(INVOICE_ROWS, ALL, { status: 'DELETED' })],
    [
      'invoices of a customer',
      async () => {
        const { rows } = await database.client.query(id(77))
        return newestStatement(INVOICE_ROWS, ALL, { customer_id: rows[0].id })
      },
    ],
    [
      'the oldest paid invoices of two months',
      () => newestStatement(INVOICE_ROWS, { ...OF_MONTHS, direction: 'asc' }, { status: 'PAID' }),
    ],
    ['links', () => linksAnywhere(links)],
    ['the oldest links', () => linksAnywhere({ ...links, direction: 'asc' })],
    [
      'the oldest invoices of a rare state',
      () => newestStatement(INVOICE_ROWS, { ...ALL, direction: 'asc' }, { status: 'ATTEMPTED' }),
    ],
    [
      'older links',
      () =>
        linksAnywhere({
          ...links,
          before: { createdAt: new Date('2026-03-15T05:00:00Z'), id: '8' },
        }),
    ],
    ['active links', () => linksAnywhere({ ...links, state: 'active' })],
    ['inactive links', () => linksAnywhere({ ...links, state: 'inactive' })],
    ['deleted links', () => linksAnywhere({ ...links, state: 'deleted' })],
    ['a name', () => linksAnywhere({ ...links, name: 'LINK 77' })],
    ['an unknown name', () => linksAnywhere({ ...links, name: 'nobody' })],
  ])('%s', async (_, statement) => {
    const { read, buffers } = await asked(await statement())
    expect(read).toEqual([])
    expect(buffers).toBeLessThan(MOST_BUFFERS)
  })
})

it('of two months has the newest invoices that were created in them', async () => {
  const { rows, buffers } = await asked(newestStatement(INVOICE_ROWS, OF_MONTHS, {}))
  const { rows: newest } = await database.client.query(
    `SELECT id FROM invoice
     WHERE created_at >= '2026-01-05' AND created_at < '2026-03-06' AND deleted_at IS NULL
     ORDER BY id DESC LIMIT 51`,
  )
  const ids = rows.map((row) => INVOICE_ROWS.view(row, undefined).id)
  expect(ids).toEqual(newest.map(({ id }) => id))
  // Without the ids of these months, all newer invoices are read first.
  expect(buffers).toBeLessThan(1_400)
})

describe('of one owner', () => {
  it.each(['customer_id', 'invoice_id', 'payment_link_id'] as const)('%s', async (owner) => {
    const {
      rows: [row],
    } = await database.client.query(
      `SELECT ${owner} AS id FROM transaction WHERE account_id = $1 AND ${owner} IS NOT NULL
       GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
      [CROWDED],
    )
    const owned = { accountId: CROWDED, owner, id: row.id }
    for (const statement of [newestOwned(owned, 11), sumsOfOwned(owned)]) {
      const { rows, read, buffers } = await asked(statement)
      expect(rows.length).toBeGreaterThan(0)
      expect(read).toEqual([])
      expect(buffers).toBeLessThan(MOST_BUFFERS)
    }
  })
})
