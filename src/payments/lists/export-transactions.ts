// A list of transactions of any length as CSV. A slow reader is waited for; if the reader goes
// away, the reading ends. Each transaction appears as it is when its line is made.

import { amountText, csvOf } from '../../core/csv.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from '../transaction/account-context.ts'
import { findTransactions } from '../transaction/find-transaction.ts'
import { OWN_FIELDS } from '../transaction/transaction-fields.ts'
import { type TransactionView, transactionView } from '../transaction/transaction-view.ts'
import type { Listing } from './listing.ts'
import { idsInRounds } from './walk.ts'

/**
 * A row may have 16 KiB of `meta`, so the size of a chunk decides how many rows the next one has.
 */
const PIECE_CHARACTERS = 128 * 1024
const FEWEST_ROWS = 4
const MOST_ROWS = 100

/** Nested in the API, but columns in the file. */
const OF_CUSTOMER = ['firstname', 'lastname', 'company', 'email'] as const

const HEAD = [...OWN_FIELDS, ...OF_CUSTOMER.map((field) => `customer_${field}`), 'card_type']

const AMOUNTS: ReadonlySet<string> = new Set(['total', 'total_refunded'])

export interface TransactionFile {
  readonly head: readonly string[]
  readonly lineOf: (view: TransactionView) => unknown[]
}

const WHOLE: TransactionFile = { head: HEAD, lineOf }

/** Yields chunks of whole lines. */
export async function* exportTransactions(
  world: World,
  accountContext: AccountContext,
  listing: Pick<Listing, 'filters' | 'sort' | 'order'>,
  file = WHOLE,
): AsyncGenerator<string> {
  const { accountId } = accountContext
  let lines: unknown[][] = [[...file.head]]
  let take = FEWEST_ROWS
  for await (const ids of idsInRounds(world.db.query, { ...listing, accountId })) {
    for (let at = 0; at < ids.length; ) {
      const some = ids.slice(at, at + take)
      const piece = csvOf([...lines, ...(await linesOf(world, accountContext, some, file))])
      yield piece
      lines = []
      at += take
      const fitting = Math.floor((PIECE_CHARACTERS * take) / piece.length)
      take = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, fitting))
    }
  }
  if (lines.length > 0) yield csvOf(lines)
}

async function linesOf(
  world: World,
  accountContext: AccountContext,
  ids: readonly string[],
  file: TransactionFile,
): Promise<unknown[][]> {
  const rows = await findTransactions(world.db, accountContext.accountId, ids)
  await world.exports.turn()
  return rows.map((row) => file.lineOf(transactionView(row, accountContext)))
}

function lineOf(view: TransactionView): unknown[] {
  const own = OWN_FIELDS.map((field) => cellOf(field, view[field]))
  const ofCustomer = OF_CUSTOMER.map((field) => view.customer[field])
  return [...own, ...ofCustomer, view.payment_method.card_type]
}

function cellOf(field: string, value: unknown): unknown {
  return AMOUNTS.has(field) ? amountText(Number(value)) : value
}
