// How far the business of an account has come: before that its clock is not set back.

import type { Query } from '../db/database.ts'

/**
 * What is decided is read by its kinds, as the indexes of the lists have it: one look at the end of
 * each, in an account of millions too.
 */
const NEWEST = `
  WITH kind AS (
    SELECT DISTINCT type, status, method, is_manual FROM transaction_tally
    WHERE account_id = $1 AND span = 'month'
  ),
  decided AS (
    SELECT max(latest.at) AS at
    FROM kind CROSS JOIN LATERAL (
      SELECT greatest(
        (SELECT max(t.created_at) FROM transaction t WHERE ${isOfKind('t')}),
        (SELECT max(t.updated_at) FROM transaction t WHERE ${isOfKind('t')})
      ) AS at
    ) latest
  ),
  under_way AS (
    SELECT max(greatest(created_at, updated_at)) AS at FROM transaction
    WHERE account_id = $1 AND (due_at IS NULL AND parked_at IS NULL) IS FALSE
  )
  SELECT greatest(
    (SELECT at FROM decided),
    (SELECT at FROM under_way),
    (SELECT max(greatest(created_at, updated_at)) FROM schedule WHERE account_id = $1),
    (SELECT max(greatest(created_at, updated_at)) FROM invoice WHERE account_id = $1),
    (SELECT max(greatest(created_at, closed_at, deposited_at)) FROM batch WHERE account_id = $1)
  ) AS newest`

/** Undefined where there is no transaction and no schedule, nor anything that came of them. */
export async function newestRow(query: Query, accountId: string): Promise<Date | undefined> {
  const [row] = await query(NEWEST, [accountId])
  return row?.newest ?? undefined
}

function isOfKind(t: string): string {
  return `${t}.account_id = $1 AND ${t}.type = kind.type AND ${t}.status = kind.status
    AND ${t}.method = kind.method AND ${t}.is_manual = kind.is_manual AND ${t}.status <> 'PENDING'`
}
