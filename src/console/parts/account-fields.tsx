// The account for which a form makes something: its fields, a team and a mode, and what was typed.

import { LONGEST_TEAM_NAME } from '../../accounts/create-team.ts'
import { type AccountWithTeam, accountWithTeam } from '../../accounts/find-teams.ts'
import { MODES } from '../../accounts/key.ts'
import { sentenceOf } from '../../core/sentence.ts'
import type { Form } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import { accountsAsked } from '../query.ts'
import { ChoiceField, type FilledForm, type FormFaults, fieldsOf, TextField } from './fields.tsx'
import { wholeLine } from './typed.ts'

export function AccountFields(filled: FilledForm) {
  const field = fieldsOf(filled)
  return (
    <>
      <TextField {...field('team')} label="Team" placeholder="Its name or id" isRequired />
      <ChoiceField
        {...field('mode')}
        label="Mode"
        choices={MODES}
        hint="In sandbox mode no money moves."
      />
    </>
  )
}

/** A type, not an interface, so that it is a form too. */
type TypedAccount = {
  readonly team: string
  readonly mode: string
}

export function typedAccount({ team, mode }: Form): TypedAccount {
  return { team: wholeLine(team, LONGEST_TEAM_NAME), mode: wholeLine(mode, LONGEST_TEAM_NAME) }
}

interface NamedAccount {
  readonly account?: AccountWithTeam | undefined
  readonly faults: FormFaults
}

export async function accountTyped(
  world: World,
  { team, mode }: TypedAccount,
): Promise<NamedAccount> {
  if (team === '') return { faults: { team: 'Enter the name or the id of a team.' } }
  if (!MODES.some((one) => one === mode)) return { faults: { mode: 'Choose live or sandbox.' } }
  const { accounts = [], fault } = await accountsAsked(world, { team })
  if (fault !== undefined) return { faults: { team: sentenceOf(fault) } }
  const named = accounts.find((account) => account.mode === mode)
  if (named === undefined) return { faults: { mode: `The team has no ${mode} account.` } }
  return { account: await accountWithTeam(world, named.id), faults: {} }
}
