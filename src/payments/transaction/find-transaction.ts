// Reads a transaction with its owners, and its children.

import { mapInTurns } from '../../core/next-turn.ts'
import type { Database, Query } from '../../db/database.ts'
import { gatheredLookUp } from '../../db/gathered.ts'
import type { Transaction } from '../../generated/client.ts'
import {
  BATCH_JOIN,
  BATCHED_COLUMNS,
  type BatchedTransaction,
  readBatched,
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from './transaction-row.ts'

export const findTransaction = gatheredLookUp({
  name: 'find-transaction',
  table: 'transaction',
  alias: 't',
  columns: TRANSACTION_COLUMNS,
  joins: TRANSACTION_JOINS,
  read: readTransaction,
})

/** In the order of the ids. One statement serves other requests of the same moment as well. */
export async function findTransactions(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<readonly TransactionRow[]> {
  const found = await Promise.all(ids.map((id) => db.ask(findTransaction, { accountId, id })))
  return found.filter((one) => one !== undefined)
}

/** `$2` lists the parents. Only captures have children of their own, and these have none. */
const FAMILY = `
  SELECT ${BATCHED_COLUMNS}
  FROM transaction t ${BATCH_JOIN}
  WHERE t.account_id = $1 AND (
    t.id = ANY($2::uuid[])
    OR t.reference_id = ANY($2::uuid[])
    OR t.reference_id = ANY (ARRAY(
      SELECT id FROM transaction
      WHERE account_id = $1 AND reference_id = ANY($2::uuid[]) AND children > 0))
  )
  ORDER BY t.created_at, t.id`

/**
 * Transactions with all their children: voids, refunds and captures, and the children of captures.
 *
 * All of them in one list, the oldest first, as they were at one moment. Most transactions have no
 * children, and then nothing is read.
 */
export async function familyOf(
  query: Query,
  accountId: string,
  parents: readonly Pick<Transaction, 'id' | 'children'>[],
): Promise<readonly BatchedTransaction[]> {
  const ids = parents.flatMap((parent) => (parent.children > 0 ? [parent.id] : []))
  if (ids.length === 0) return []
  return mapInTurns(await query(FAMILY, [accountId, ids]), readBatched)
}

/**
 * Each transaction with its children and their children, the oldest first. It was read without a
 * lock, and a child may have succeeded since then, so it is returned as it was at the moment of its
 * children.
 */
export async function withFamilies(
  query: Query,
  accountId: string,
  rows: readonly TransactionRow[],
) {
  const all = await familyOf(query, accountId, rows)
  const byId = new Map(all.map((one) => [one.id, one]))
  const childrenOf = new Map<string, BatchedTransaction[]>()
  for (const one of all) {
    if (one.referenceId === null) continue
    const known = childrenOf.get(one.referenceId)
    if (known === undefined) childrenOf.set(one.referenceId, [one])
    else known.push(one)
  }
  return rows.map((row) => {
    if (row.children === 0) return { row, family: [] }
    const children = childrenOf.get(row.id) ?? []
    const family = [...children, ...children.flatMap(({ id }) => childrenOf.get(id) ?? [])]
    return { row: { ...row, ...byId.get(row.id) }, family }
  })
}
