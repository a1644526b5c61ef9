// Payments that wait for a person, the longest waiting first.

import { columnsOf } from '../db/columns.ts'
import type { RowOwner } from '../db/newest-anywhere.ts'
import type { Transaction } from '../generated/client.ts'
import type { World } from '../world.ts'

const SHOWN = [
  'accountId',
  'id',
  'type',
  'total',
  'lastFour',
  'parkedAt',
  'createdAt',
  'attempt',
] as const

interface ShownColumns extends Pick<Transaction, (typeof SHOWN)[number]> {
  readonly parkedAt: Date
}

export type ParkedPayment = ShownColumns & RowOwner

const transaction = columnsOf<ShownColumns>('Transaction', 't', ['total'], SHOWN)

/** The index contains only parked payments. */
const LIST = `
  SELECT ${transaction.list}, b.name AS team_name, a.mode
  FROM (
    SELECT * FROM transaction WHERE parked_at IS NOT NULL ORDER BY parked_at LIMIT $1
  ) t
  JOIN account a ON a.id = t.account_id
  JOIN team b ON b.id = a.team_id
  ORDER BY t.parked_at, t.id`

export async function listParkedPayments(
  world: World,
  most: number,
): Promise<readonly ParkedPayment[]> {
  const rows = await world.db.query(LIST, [most])
  return rows.map((row) => ({ ...transaction.read(row), teamName: row.team_name, mode: row.mode }))
}
