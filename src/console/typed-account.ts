// The account that an operator types into a form: a team and a mode.

import { type AccountWithTeam, accountWithTeam } from '../accounts/find-teams.ts'
import { MODES } from '../accounts/key.ts'
import { sentenceOf } from '../core/sentence.ts'
import type { World } from '../world.ts'
import type { FormFaults } from './parts/fields.tsx'
import { accountsAsked } from './query.ts'

interface TypedAccount {
  readonly account?: AccountWithTeam | undefined
  readonly faults: FormFaults
}

export async function accountTyped(
  world: World,
  team: string,
  mode: string,
): Promise<TypedAccount> {
  if (team === '') return { faults: { team: 'Enter the name or the id of a team.' } }
  if (!MODES.some((one) => one === mode)) return { faults: { mode: 'Choose live or sandbox.' } }
  const { accounts = [], fault } = await accountsAsked(world, { team })
  if (fault !== undefined) return { faults: { team: sentenceOf(fault) } }
  const named = accounts.find((account) => account.mode === mode)
  if (named === undefined) return { faults: { mode: `The team has no ${mode} account.` } }
  return { account: await accountWithTeam(world, named.id), faults: {} }
}
