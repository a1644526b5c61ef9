// An account held at its clock. To set or advance a sandbox account's clock changes the account's
// row; to write business of the account, something that falls due in its time, holds that row until
// the commit. So what is written by one clock is there before another is set: then it is seen, and
// done at its own instant.

import assert from 'node:assert'
import { Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'

const HOLD = `
  SELECT clock_at, clock_target IS NOT NULL AS is_advancing FROM account WHERE id = $1 FOR SHARE`

interface OfAccount {
  readonly accountId: string
  readonly clockAt: Date | null
}

/** Held before anything else of the account, as by those who set the clock. */
export async function holdClock<A extends OfAccount>(query: Query, account: A): Promise<A> {
  const { clockAt } = await hold(query, account.accountId)
  return { ...account, clockAt }
}

/** For what a caller asks for: while the clock is on its way nothing else begins. */
export async function holdReadyClock<A extends OfAccount>(query: Query, account: A): Promise<A> {
  const { clockAt, isAdvancing } = await hold(query, account.accountId)
  if (isAdvancing) throw new Refusal('clock_advancing')
  return { ...account, clockAt }
}

async function hold(query: Query, accountId: string) {
  const [row] = await query(HOLD, [accountId])
  assert(row !== undefined, 'accounts are for ever')
  return { clockAt: row.clock_at as Date | null, isAdvancing: row.is_advancing as boolean }
}

/**
 * The same for the accounts of a gathered statement, by its inputs: the sandbox accounts among
 * them, held, as `clock`. A live account has no clock of its own.
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
