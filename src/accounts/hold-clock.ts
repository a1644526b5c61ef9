// Locks an account at its current time. Setting or advancing a sandbox clock changes the account's
// row. Every commit that writes something due in the account's time locks that row until its end.
// So what is written under one time is there before another is set; it is then seen and done at its
// own instant.

import assert from 'node:assert'
import { Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'

const HOLD = `
  SELECT clock_at, clock_target IS NOT NULL AS is_advancing FROM account WHERE id = $1 FOR SHARE`

interface OfAccount {
  readonly accountId: string
  readonly clockAt: Date | null
}

/**
 * For callers' requests: none may begin while the clock is being advanced. The account is locked
 * before any other of its rows, as by the code that sets the clock.
 */
export async function holdReadyClock<A extends OfAccount>(query: Query, account: A): Promise<A> {
  const { timed, isAdvancing } = await hold(query, account)
  if (isAdvancing) throw new Refusal('clock_advancing')
  return timed
}

/** For the rest of a request that was accepted: its clock may have been set since, or be moving. */
export async function holdClock<A extends OfAccount>(query: Query, account: A): Promise<A> {
  return (await hold(query, account)).timed
}

async function hold<A extends OfAccount>(query: Query, account: A) {
  const [row] = await query(HOLD, [account.accountId])
  assert(row !== undefined, 'accounts are never deleted')
  const timed: A = { ...account, clockAt: row.clock_at }
  return { timed, isAdvancing: row.is_advancing }
}

/**
 * The same for the accounts of a gathered statement: locks the sandbox accounts among its inputs,
 * as `clock`. A live account has no clock of its own.
 */
export const HELD_CLOCKS = `
    clock AS (
      SELECT a.*
      FROM (SELECT DISTINCT account_id FROM input) i
      CROSS JOIN LATERAL (
        SELECT id AS account_id, clock_at, clock_target FROM account
        WHERE id = i.account_id AND mode = 'sandbox'
        FOR SHARE
      ) a
    )`
