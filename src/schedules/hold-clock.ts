// By which time an account lives, until the commit is done. What waits in the account's own time is
// not due in real time, so a row must not be written by a clock that is gone.

import assert from 'node:assert'
import type { Asking } from '../accounts/asking.ts'
import type { Query } from '../db/database.ts'

const HOLD = 'SELECT clock_at FROM account WHERE id = $1 FOR SHARE'

/** Held before anything else of the account, as by those who set the clock. */
export async function holdClock<A extends Asking>(query: Query, asking: A): Promise<A> {
  const [account] = await query(HOLD, [asking.accountId])
  assert(account !== undefined, 'accounts are for ever')
  return { ...asking, clockAt: account.clock_at }
}
