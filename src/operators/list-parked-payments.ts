// Payments that wait for a person, the longest waiting first.

import type { World } from '../world.ts'

/** The index contains only parked payments. */
const PARKED = 'parked_at IS NOT NULL'

export interface ParkedPayment {
  readonly accountId: string
  readonly id: string
  readonly type: string
  readonly total: bigint
  readonly lastFour: string | null
  readonly parkedAt: Date
  readonly createdAt: Date
  readonly attempt: number
  readonly teamName: string
  readonly mode: string
}

const LIST = `
  SELECT t.account_id, t.id, t.type, t.total, t.last_four, t.parked_at, t.created_at, t.attempt,
    b.name AS team_name, a.mode
  FROM (
    SELECT * FROM transaction WHERE ${PARKED} ORDER BY parked_at LIMIT $1
  ) t
  JOIN account a ON a.id = t.account_id
  JOIN team b ON b.id = a.team_id
  ORDER BY t.parked_at, t.id`

export async function listParkedPayments(
  world: World,
  most: number,
): Promise<readonly ParkedPayment[]> {
  const rows = await world.db.query(LIST, [most])
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    type: row.type,
    total: BigInt(row.total),
    lastFour: row.last_four,
    parkedAt: row.parked_at,
    createdAt: row.created_at,
    attempt: row.attempt,
    teamName: row.team_name,
    mode: row.mode,
  }))
}
