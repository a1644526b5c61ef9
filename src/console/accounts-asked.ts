// Whose rows a list is narrowed to: a team by its name or its id, or an account by its own.

import { accountsNamed } from '../accounts/find-teams.ts'
import { OperatorError } from '../accounts/operator-error.ts'
import type { Account } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { QueryParams } from './query.ts'

export interface AccountsAsked {
  /** Undefined is all. */
  readonly accounts: readonly Account[] | undefined
  /** There is no such team, or more than one. */
  readonly fault?: string
}

export async function accountsAsked(world: World, { team }: QueryParams): Promise<AccountsAsked> {
  if (team === undefined) return { accounts: undefined }
  try {
    return { accounts: await accountsNamed(world, team) }
  } catch (error) {
    if (error instanceof OperatorError) return { accounts: [], fault: error.message }
    throw error
  }
}
