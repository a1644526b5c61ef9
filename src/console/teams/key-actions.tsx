// The forms of keys: make one, rename it, change its dialect or its end, roll it, revoke it. Only
// the answer that makes a key contains it.

import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { MODES } from '../../accounts/key.ts'
import {
  LONGEST_KEY_NAME,
  readDialect,
  readExpiry,
  readExpiryOrNever,
  readOverlap,
} from '../../accounts/read-key-change.ts'
import { DIALECTS } from '../../core/dialect.ts'
import { isId } from '../../core/id.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { isDuplicate } from '../../db/failure.ts'
import type { Account, ApiKey, Team } from '../../generated/client.ts'
import { addKey, revokeKey, rollKey, saveKey } from '../../operators/manage-teams.ts'
import type { Form } from '../../web/forms.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { savedWords } from '../done.ts'
import type { FormFaults } from '../parts/fields.tsx'
import type { Acting, Action, Outcome } from '../parts/object-page.tsx'
import { CopyableText } from '../parts/shown.tsx'
import { isFaulty, lengthFault, presentFaults, wholeLine } from '../parts/typed.ts'
import { keyPath, teamPath } from '../paths.ts'
import { operatorOf } from '../who.ts'

export type KeyOfTeam = ApiKey & { readonly account: Account & { readonly team: Team } }

export const KEY_ACTIONS: Readonly<Record<string, Action<KeyOfTeam>>> = {
  set,
  roll,
  revoke,
}

/** An action of the team's page. A form that is sent again leads to the key that it made. */
export async function makeKey({
  world,
  request,
  form,
  found: team,
}: Acting<TeamWithAccounts>): Promise<Outcome> {
  const typed = typedKeyForm(form)
  const { mode, key_name: name = '', dialect: sent = '', expires = '' } = typed
  const isMode = MODES.some((one) => one === mode)
  const faults = {
    ...faultsOf(world, typed, readExpiry),
    ...(isMode ? {} : { mode: 'Choose live or sandbox.' }),
  }
  if (isFaulty(faults)) return { faults }
  const id = form.id?.toLowerCase() ?? ''
  if (!isId(id)) throw incompleteForm()
  const account = team.accounts.find((one) => one.mode === mode)
  if (account === undefined) throw new OperatorError(`${team.name} has no ${mode} account`)
  const dialect = sent === '' ? 'standard' : readDialect(sent)
  const expiresAt = expires === '' ? undefined : readExpiry(expires, world.clock.now())
  try {
    const key = { id, accountId: account.id, mode: account.mode, name, dialect, expiresAt }
    return keyShown(team.id, await addKey(world, operatorOf(request), team.id, key))
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return madeBefore(team.id, id)
  }
}

async function set({ world, request, form, found: apiKey }: Acting<KeyOfTeam>) {
  const typed = typedKeyForm(form)
  const { key_name: name = '', expires = '', dialect: sent = '' } = typed
  const faults = faultsOf(world, typed, readExpiryOrNever)
  if (isFaulty(faults)) return { faults }
  // What still stands as the form showed it may have been changed elsewhere since.
  const shown = form.shown_key_name
  // Nor can an earlier name always be typed as a line: one with two spaces, for one.
  const isRenamed = ![apiKey.name, shown].some((one) => name === wholeLine(one, LONGEST_KEY_NAME))
  const hasOtherDialect = !['', apiKey.dialect, form.shown_dialect].includes(sent)
  const change = {
    ...(isRenamed ? { name } : {}),
    ...(hasOtherDialect ? { dialect: readDialect(sent) } : {}),
    ...(expires === '' ? {} : { expiresAt: readExpiryOrNever(expires, world.clock.now()) }),
  }
  return savedWords(await saveKey(world, operatorOf(request), apiKey.id, change))
}

/** A form that is sent again leads to the key that it made. */
async function roll({ world, request, form, found: apiKey }: Acting<KeyOfTeam>) {
  const { teamId } = apiKey.account
  if (apiKey.rolledTo !== null) return madeBefore(teamId, apiKey.rolledTo)
  const overlap = (form.overlap ?? '').trim()
  const until =
    overlap === ''
      ? 'Enter how long the current key still works, such as 24h; 0m for not at all.'
      : valueOrFault(() => readOverlap(overlap, world.clock.now()))
  if (typeof until === 'string') return { faults: { overlap: until } }
  return keyShown(teamId, await rollKey(world, operatorOf(request), apiKey.id, until))
}

async function revoke({ world, request, found: apiKey }: Acting<KeyOfTeam>) {
  await revokeKey(world, operatorOf(request), apiKey.id)
  return 'The key is revoked: requests with it are refused.'
}

function madeBefore(teamId: string, id: string) {
  const done = 'This key was made before, and shown then.'
  return { done, path: keyPath(teamId, id) }
}

/** The key is shown only here. */
function keyShown(teamId: string, { id, key }: { readonly id: string; readonly key: string }) {
  const once = (
    <section class="card stack">
      <p>Copy the key now. Only its hash is stored, so it can’t be shown again.</p>
      <CopyableText id="made-key" text={key} />
      <p>
        <a href={teamPath(teamId)}>Back to the team</a> · <a href={keyPath(teamId, id)}>This key</a>
      </p>
    </section>
  )
  return { title: 'A new key', once }
}

/** The typed values of a key's form. */
function typedKeyForm(form: Form): Form {
  const names = ['mode', 'key_name', 'dialect', 'expires']
  return Object.fromEntries(names.map((name) => [name, wholeLine(form[name], LONGEST_KEY_NAME)]))
}

function faultsOf(
  world: World,
  { key_name: name = '', dialect = '', expires = '' }: Form,
  readEnd: typeof readExpiryOrNever,
): FormFaults {
  const end = expires === '' ? null : valueOrFault(() => readEnd(expires, world.clock.now()))
  const isDialect = dialect === '' || DIALECTS.some((one) => one === dialect)
  return presentFaults({
    dialect: isDialect ? undefined : `Choose ${DIALECTS.join(' or ')}.`,
    key_name: name === '' ? 'Enter a name.' : lengthFault(name, LONGEST_KEY_NAME),
    expires: typeof end === 'string' ? end : undefined,
  })
}

function valueOrFault<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    // It begins with what was typed, exactly as it was typed.
    if (error instanceof OperatorError) return `${error.message}.`
    throw error
  }
}
