// The batches that an operator may settle: those with due work, and those that the operator names.

import type { Mode } from '../accounts/key.ts'
import { OperatorError } from '../core/operator-error.ts'
import { dateText } from '../core/whole-days.ts'
import type { QueryWorld } from '../world.ts'

export interface Unsettled {
  readonly accountId: string
  readonly id: string
  readonly date: string
  readonly cutoffAt: Date
  /** True once its cutoff has passed, whatever work is left. */
  readonly isDue: boolean
  readonly team: string
  readonly mode: Mode
  /** The zone of the account's business day. */
  readonly timezone: string
  /** True if the account has a sandbox clock, by which its cutoff is meant. */
  readonly hasOwnClock: boolean
}

export interface Choice {
  readonly accountId: string | undefined
  readonly date: string | undefined
}

/** Finds the batches that are or will be due. With a date, also those that are settled. */
const FIND = `
  SELECT b.account_id AS "accountId", b.id, b.business_date AS date, b.cutoff_at AS "cutoffAt",
    t.name AS team, a.mode, a.timezone, a.clock_at IS NOT NULL AS "hasOwnClock",
    b.status <> 'open' OR b.cutoff_at <= coalesce(a.clock_at, $1) AS "isDue"
  FROM batch b
  JOIN account a ON a.id = b.account_id
  JOIN team t ON t.id = a.team_id
  WHERE ($2::uuid IS NULL OR b.account_id = $2)
    AND CASE WHEN $3::date IS NOT NULL THEN b.business_date = $3
      ELSE b.status <> 'closed' OR b.events_written < b.count
        OR b.deposited_at IS NULL AND b.deposit_at <= coalesce(a.clock_at, $1) END
  ORDER BY b.cutoff_at, b.account_id`

export async function findUnsettled(
  world: QueryWorld,
  { accountId, date }: Choice,
): Promise<readonly Unsettled[]> {
  if (accountId !== undefined) await requireAccount(world, accountId)
  const values = [world.clock.now(), accountId ?? null, date ?? null]
  const rows = await world.db.query(FIND, values)
  if (rows.length === 0 && date !== undefined) throw new OperatorError(`${date} has no batch`)
  return rows.map((row) => ({ ...row, date: dateText(row.date) }) as Unsettled)
}

export async function requireAccount(world: QueryWorld, id: string): Promise<void> {
  const rows = await world.db.query('SELECT FROM account WHERE id = $1', [id])
  if (rows.length === 0) throw new OperatorError(`there is no account ${id}`)
}
