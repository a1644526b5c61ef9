// The expected content of a list of transactions, found from all of them, one by one.

import type pg from 'pg'
import type { Listing, TransactionFilters } from '../../src/payments/lists/listing.ts'
import { CROWDED } from './transaction-crowd.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows as the database gives them
export type PlainRow = Readonly<Record<string, any>>

const ALL = `
  SELECT t.*, t.total::integer AS cents, t.business_date::text AS day,
    concat_ws(' ', c.firstname, c.lastname, c.company, c.email, c.phone) AS customer,
    b.id AS batch_id
  FROM transaction t JOIN customer c ON c.account_id = t.account_id AND c.id = t.customer_id
  LEFT JOIN batch b ON b.account_id = t.account_id AND b.business_date = t.business_date
    AND b.status <> 'open' AND t.void_id IS NULL
  WHERE t.account_id = $1`

export async function allRows(client: pg.Client): Promise<readonly PlainRow[]> {
  return (await client.query(ALL, [CROWDED])).rows
}

/** The ids of a list by its filters, in any order. */
export type PlainList = (sort: Listing['sort'], order: Listing['order']) => readonly string[]

/** Looks at each row once, in whatever orders the list is then asked for. */
export function plainList(rows: readonly PlainRow[], filters: TransactionFilters): PlainList {
  const listed = new Set(rows.filter((row) => isListed(row, filters)))
  return (sort, order) =>
    inOrder(rows, sort, order)
      .filter((row) => listed.has(row))
      .map(({ id }) => id)
}

type Ordered = Map<string, readonly PlainRow[]>

/** All rows are sorted once for each order, and reused for all lists. */
const ordered = new WeakMap<readonly PlainRow[], Ordered>()

function inOrder(
  rows: readonly PlainRow[],
  sort: Listing['sort'],
  order: Listing['order'],
): readonly PlainRow[] {
  const known: Ordered = ordered.get(rows) ?? new Map()
  ordered.set(rows, known)
  const name = `${sort} ${order}`
  const found = known.get(name) ?? sorted(rows, sort, order === 'asc' ? 1 : -1)
  known.set(name, found)
  return found
}

function sorted(rows: readonly PlainRow[], sort: Listing['sort'], sign: 1 | -1) {
  return rows.toSorted((a, b) => {
    if (a[sort] === null || b[sort] === null) {
      const nulls = Number(a[sort] === null) - Number(b[sort] === null)
      return nulls === 0 ? sign * compare(a.id, b.id) : nulls
    }
    const [one, other] = sort === 'total' ? [a.cents, b.cents] : [a[sort], b[sort]]
    return sign * (compare(one, other) || compare(a.id, b.id))
  })
}

function isListed(row: PlainRow, filters: TransactionFilters): boolean {
  const { from, before } = filters.created
  return [
    filters.withChildren || row.reference_id === null,
    filters.type === undefined || row.type === filters.type,
    filters.status === undefined || row.status === filters.status,
    filters.success === undefined || row.status === (filters.success ? 'SUCCESS' : 'FAILED'),
    filters.method === undefined || row.method === filters.method,
    filters.isManual === undefined || row.is_manual === filters.isManual,
    filters.isPreAuth === undefined || (row.type === 'pre_auth') === filters.isPreAuth,
    Object.entries(filters.owners).every(
      ([column, id]) => row[column] === id || (column === 'batch_id' && willBeTaken(row, filters)),
    ),
    filters.least === undefined || row.cents >= Number(filters.least),
    filters.most === undefined || row.cents <= Number(filters.most),
    filters.lastFour === undefined || row.last_four === filters.lastFour,
    from === undefined || row.created_at >= from,
    before === undefined || row.created_at < before,
    filters.keywords.every((keyword) => isFound(row, keyword.toLowerCase())),
  ].every(Boolean)
}

/** Whether a batch that is not closed will take it. */
function willBeTaken(row: PlainRow, { batchDay }: TransactionFilters): boolean {
  return row.void_id === null && batchDay !== undefined && row.day === batchDay
}

function isFound(row: PlainRow, keyword: string): boolean {
  const isSearched = row.status === 'FAILED' || row.is_manual
  const words = isSearched ? `${row.message ?? ''} ${row.source ?? ''}` : ''
  const authId = row.type === 'capture' ? row.reference_id : row.auth_id
  const { reference, poNumber } = row.meta
  const exact = [row.id, authId, row.idempotency_id, row.last_four, reference, poNumber]
  return (
    `${row.customer}\n${words}`.toLowerCase().includes(keyword) ||
    exact.some((one) => one !== null && String(one).toLowerCase() === keyword)
  )
}

function compare<T>(one: T, other: T): number {
  if (one < other) return -1
  return one > other ? 1 : 0
}
