// The facts of an account and its team that decide what may be done to its transactions, and when.

import type { ActingAccount } from '../../accounts/acting-account.ts'
import type { Mode } from '../../accounts/key.ts'
import type { World } from '../../world.ts'

export interface AccountContext {
  readonly accountId: string
  readonly mode: Mode
  /** The account's own time, if it has a clock of its own. */
  readonly clockAt: Date | null
  readonly settlementTokenizationEnabled: boolean
  /** The account's current time, by its own clock or in real time. */
  readonly now: Date
}

export function accountContextOf(
  world: World,
  account: Omit<AccountContext, 'now'>,
): AccountContext {
  return { ...account, now: world.accountNow(account) }
}

export function contextOfCaller(world: World, caller: ActingAccount): AccountContext {
  const { accountId, mode, clockAt, team } = caller
  const { settlementTokenizationEnabled } = team
  return accountContextOf(world, { accountId, mode, clockAt, settlementTokenizationEnabled })
}
