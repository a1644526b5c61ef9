// What of an account and its team decides what may be done to its transactions, and when.

import type { ActingAccount } from '../accounts/acting-account.ts'
import type { Mode } from '../accounts/key.ts'
import type { World } from '../world.ts'

export interface Books {
  readonly accountId: string
  readonly mode: Mode
  /** The account's own time, where it has one. */
  readonly clockAt: Date | null
  readonly settlementTokenizationEnabled: boolean
  /** The instant of the account's business. */
  readonly now: Date
}

export function booksOf(world: World, account: Omit<Books, 'now'>): Books {
  const { accountId, mode, clockAt, settlementTokenizationEnabled } = account
  const now = world.accountNow(account)
  return { accountId, mode, clockAt, settlementTokenizationEnabled, now }
}

export function booksOfCaller(world: World, caller: ActingAccount): Books {
  const { accountId, mode, clockAt, team } = caller
  const { settlementTokenizationEnabled } = team
  return booksOf(world, { accountId, mode, clockAt, settlementTokenizationEnabled })
}
