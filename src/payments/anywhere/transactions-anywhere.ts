// The transactions of all accounts, for operators. For one account it is the merchant's own list
// with its total; for all accounts it shows the newest, page after page.

import type { Mode } from '../../accounts/key.ts'
import { chunksOf } from '../../core/chunks.ts'
import type { ReversalKind } from '../../core/dispute.ts'
import { isId } from '../../core/id.ts'
import { arraysOf } from '../../db/arrays-of.ts'
import type { RowKey } from '../../db/columns.ts'
import type { Row } from '../../db/gathered.ts'
import type { World } from '../../world.ts'
import type { Listing, TransactionFilters } from '../lists/listing.ts'
import { pageAt } from '../lists/page-at.ts'
import { idsInRounds } from '../lists/walk.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from '../transaction/transaction-row.ts'
import type { AnywhereFilter } from './anywhere-filter.ts'
import { customersStatement, foundStatement, isName, MOST_CUSTOMERS } from './found.ts'
import { newestTransactions } from './newest.ts'

export interface FoundTransaction extends TransactionRow {
  readonly teamId: string
  readonly teamName: string
  readonly mode: Mode
  readonly isDisputed: boolean
  /** It, or a child of it, was reversed. */
  readonly reversed: ReversalKind | null
}

export interface TransactionsFound {
  readonly rows: readonly FoundTransaction[]
  /** The id to continue after, if there may be older ones. */
  readonly older: string | undefined
  /** More customers have this name than were searched. */
  readonly isCut: boolean
}

/** A row may have 16 KiB of `meta`. */
const ROWS_AT_ONCE = 250

/** Over all accounts that match the filters. */
export async function listAnywhere(
  world: World,
  word: string | undefined,
  filter: AnywhereFilter,
): Promise<TransactionsFound> {
  const wider = { ...filter, most: filter.most + 1 }
  const { keys, isCut } =
    word === undefined ? await newest(world, wider) : await found(world, word, wider)
  const shown = keys.slice(0, filter.most)
  const rows = await transactionsAt(world, shown)
  return { rows, older: keys.length > filter.most ? shown.at(-1)?.id : undefined, isCut }
}

/** All rows of one account's list, some at a time. */
export async function* everyInAccount(
  world: World,
  accountId: string,
  listing: Pick<Listing, 'filters' | 'sort' | 'order'>,
): AsyncGenerator<readonly FoundTransaction[]> {
  for await (const ids of idsInRounds(world.db.query, { ...listing, accountId })) {
    for (const some of chunksOf(ids, ROWS_AT_ONCE)) {
      const keys = some.map((id) => ({ accountId, id }))
      yield await transactionsAt(world, keys)
    }
  }
}

/** A page of one account, including children. The newest come first by default. */
export async function listInAccount(
  world: World,
  accountId: string,
  filters: TransactionFilters,
  {
    skip,
    take,
    sort = 'created_at',
    order = 'desc',
  }: { readonly skip: number; readonly take: number } & Partial<Pick<Listing, 'sort' | 'order'>>,
) {
  const listing = { accountId, filters, sort, order }
  const { total, ids } = await pageAt(world.db, listing, { skip, take })
  const keys = ids.map((id) => ({ accountId, id }))
  return { rows: await transactionsAt(world, keys), total }
}

async function newest(world: World, filter: AnywhereFilter) {
  const { text, values } = newestTransactions(filter)
  return { keys: (await world.db.query(text, values)).map(keyOf), isCut: false }
}

async function found(world: World, word: string, filter: AnywhereFilter) {
  const { customers, isCut } = isName(word)
    ? await customersNamed(world, word, filter)
    : { customers: [], isCut: false }
  const { text, values } = foundStatement(isId(word) ? word.toLowerCase() : word, customers, filter)
  return { keys: (await world.db.query(text, values)).map(keyOf), isCut }
}

/** In no order, deleted ones too. It is cut if more customers have this name. */
export async function customersNamed(
  world: World,
  word: string,
  filter: Pick<AnywhereFilter, 'accountIds' | 'mode'>,
) {
  const { text, values } = customersStatement(word, filter)
  const named = (await world.db.query(text, values)).map(keyOf)
  return { customers: named.slice(0, MOST_CUSTOMERS), isCut: named.length > MOST_CUSTOMERS }
}

function keyOf(row: Row): RowKey {
  return { accountId: row.account_id, id: row.id }
}

const IS_DISPUTED = `EXISTS (
    SELECT FROM dispute d
    WHERE d.account_id = t.account_id AND d.transaction_id = t.id AND d.closed_at IS NULL
  )`

/** Few transactions have children, and the others look for none. */
const REVERSED = `(
    SELECT r.kind FROM reversal r
    WHERE r.account_id = t.account_id AND r.transaction_id = ANY (t.id || ARRAY(
      SELECT c.id FROM transaction c
      WHERE t.children > 0 AND c.account_id = t.account_id AND c.reference_id = t.id))
    LIMIT 1
  )`

export const ROWS = `
  SELECT ${TRANSACTION_COLUMNS}, a.mode, b.id AS team_id, b.name AS team_name,
    ${IS_DISPUTED} AS is_disputed, ${REVERSED} AS reversed
  FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted(account_id, id, place)
  CROSS JOIN LATERAL (
    SELECT * FROM transaction WHERE account_id = wanted.account_id AND id = wanted.id OFFSET 0
  ) t ${TRANSACTION_JOINS}
  JOIN account a ON a.id = t.account_id
  JOIN team b ON b.id = a.team_id
  ORDER BY wanted.place`

/** The transactions in the order of the keys. */
export async function transactionsAt(
  world: World,
  keys: readonly RowKey[],
): Promise<readonly FoundTransaction[]> {
  if (keys.length === 0) return []
  return (await world.db.query(ROWS, arraysOf(keys, 'accountId', 'id'))).map((row) => ({
    ...readTransaction(row),
    teamId: row.team_id,
    teamName: row.team_name,
    mode: row.mode,
    isDisputed: row.is_disputed,
    reversed: row.reversed,
  }))
}
