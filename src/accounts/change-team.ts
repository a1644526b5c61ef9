// Changes the settings of a team and of its accounts. The command line and the console read their
// own texts; a change has typed values.

import assert from 'node:assert'
import { OperatorError } from '../core/operator-error.ts'
import { changeRow } from '../db/change-row.ts'
import type { Account, Team } from '../generated/client.ts'
import type { World, WritingWorld } from '../world.ts'
import { checkTeamName } from './create-team.ts'
import type { TeamWithAccounts } from './find-teams.ts'
import { type Logo, logosOf, logoText, writeLogo } from './keep-logo.ts'
import { MODES, type Mode } from './key.ts'
import {
  ACCOUNT_SETTINGS,
  type AccountSetting,
  type SettingWords,
  TEAM_SETTINGS,
  type TeamSetting,
} from './team-settings.ts'

type TeamSettings = Partial<Pick<Team, TeamSetting['key']>>

/** Each account has its own. */
export interface AccountSettings extends Partial<Pick<Account, AccountSetting['key']>> {
  /** Null removes it. */
  readonly logo?: Logo | null
}

export type TeamChange =
  | { readonly team: TeamSettings }
  | { readonly mode: Mode; readonly account: AccountSettings }

/** A setting of a team or of one of its accounts, as it is typed and shown. */
export interface TeamField extends SettingWords {
  readonly field: string
  readonly mode?: Mode
  /** Undefined if the team has no such setting. */
  readonly textIn: (team: TeamWithAccounts) => string | undefined
  /** The text as it is shown, or as it was typed if it breaks the rule. */
  readonly tidied: (text: string) => string
  /** Or the fault of the text. */
  readonly changeTo: (text: string) => TeamChange | string
}

export const TEAM_FIELDS: readonly TeamField[] = [
  ...TEAM_SETTINGS.map((one): TeamField => {
    const changeTo = (text: string) => {
      const team = one.changeTo(text)
      return team === undefined ? one.fault : { team }
    }
    return { ...one, field: one.name, textIn: one.textOf, changeTo }
  }),
  ...MODES.flatMap((mode) => ACCOUNT_SETTINGS.map((one) => ofAccount(mode, one))),
]

function ofAccount(mode: Mode, one: AccountSetting): TeamField {
  return {
    ...one,
    field: `${mode}_${one.name}`,
    mode,
    textIn({ accounts }) {
      const account = accounts.find((its) => its.mode === mode)
      const isNone = account === undefined || (one.isLiveOnly === true && mode !== 'live')
      return isNone ? undefined : one.textOf(account)
    },
    changeTo(text) {
      const account = one.changeTo(text)
      if (account === undefined) return one.fault
      return teamChangeFault({ mode, account }) ?? { mode, account }
    },
  }
}

/** Undefined if the change can be written. */
export function teamChangeFault(change: TeamChange): string | undefined {
  if ('team' in change) return TEAM_SETTINGS.find((one) => !one.isRightIn(change.team))?.fault
  const { mode, account } = change
  return ACCOUNT_SETTINGS.find(
    (one) =>
      !one.isRightIn(account) ||
      (one.isLiveOnly === true && mode !== 'live' && account[one.key] != null),
  )?.fault
}

/** The fault of a change to a gateway that this process has no settings for. */
export function gatewayFault(
  { gateways }: Pick<World, 'gateways'>,
  change: TeamChange,
): string | undefined {
  const name = 'account' in change ? change.account.liveGateway : undefined
  if (name == null || gateways.serves({ gatewayName: name })) return undefined
  return `${name} is not set up: set ${name.toUpperCase()}_SECRET_KEY and its other settings first`
}

/** As JSON, since the driver leaves an array of a type of ours as a text. */
const settingColumns = (settings: readonly { readonly column: string; readonly key: string }[]) =>
  settings.map(({ column, key }) => `to_jsonb(${column}) AS "${key}"`).join()

const HOLD = `SELECT ${settingColumns(TEAM_SETTINGS)} FROM team WHERE id = $1 FOR NO KEY UPDATE`
const SETTINGS = `SELECT id, ${settingColumns(ACCOUNT_SETTINGS)} FROM account WHERE team_id = $1`

/** The team with its settings of this moment. Until the commit nobody else changes them. */
export async function holdTeam(
  { db }: Pick<WritingWorld, 'db'>,
  seen: TeamWithAccounts,
): Promise<TeamWithAccounts> {
  const [team] = await db.query(HOLD, [seen.id])
  const rows = await db.query(SETTINGS, [seen.id])
  const accounts = seen.accounts.map((one) => ({ ...one, ...rows.find(({ id }) => id === one.id) }))
  return { ...seen, ...team, accounts }
}

/** What the changes change, by its name: `from → to`. */
export async function changedTexts(
  { db }: Pick<WritingWorld, 'db'>,
  team: TeamWithAccounts,
  changes: readonly TeamChange[],
): Promise<Readonly<Record<string, string>>> {
  const logos = await logosOf(
    db,
    team.accounts.map(({ id }) => id),
  )
  const after = changes.reduce(changedTeam, team)
  const settings = TEAM_FIELDS.map((one) => {
    const [from, to] = [team, after].map((its) => one.textIn(its) || (one.none ?? 'none'))
    return { field: one.field, from, to, isNew: from !== to }
  })
  const ofLogos = changes.flatMap((change) => {
    if (!('account' in change) || change.account.logo === undefined) return []
    const { mode, account } = change
    const id = team.accounts.find((one) => one.mode === mode)?.id
    const last = id === undefined ? undefined : logos.get(id)
    const [from, to] = [last, account.logo ?? undefined].map(logoText)
    return { field: `${mode}_logo`, from, to, isNew: last?.hash !== account.logo?.hash }
  })
  const changed = [...settings, ...ofLogos].filter(({ isNew }) => isNew)
  return Object.fromEntries(changed.map(({ field, from, to }) => [field, `${from} → ${to}`]))
}

function changedTeam(team: TeamWithAccounts, change: TeamChange): TeamWithAccounts {
  if ('team' in change) return { ...team, ...change.team }
  const { logo: _, ...changed } = change.account
  const accounts = team.accounts.map((one) =>
    one.mode === change.mode ? { ...one, ...changed } : one,
  )
  return { ...team, accounts }
}

/**
 * Payments stay in the gateway's account where they began, and its news is read, however short the
 * time was in which it was the account's own. A mistyped one, without payments, has no news.
 */
const KEEP_FEEDS = `
  INSERT INTO gateway_feed (gateway_name, place, read_through, due_at)
  SELECT g.name, coalesce(a.gateway_account, ''), $3::timestamptz, $3::timestamptz
  FROM account a, unnest($2::text[]) AS g(name)
  WHERE a.team_id = $1::uuid AND a.mode = 'live' AND EXISTS (
    SELECT FROM transaction WHERE account_id = a.id AND gateway_name = g.name)
  ON CONFLICT DO NOTHING`

const ACCOUNT = 'SELECT id FROM account WHERE team_id = $1 AND mode = $2'

/**
 * Writes the changes in the caller's commit, or refuses all if one is invalid. An open batch keeps
 * its cutoff; a new cutoff applies from the next batch on.
 */
export async function changeTeam(
  own: WritingWorld & Pick<World, 'gateways'>,
  teamId: string,
  changes: readonly TeamChange[],
): Promise<void> {
  const fault = changes
    .map((change) => teamChangeFault(change) ?? gatewayFault(own, change))
    .find((one) => one !== undefined)
  if (fault !== undefined) throw new OperatorError(fault)
  const team: TeamSettings = Object.assign(
    {},
    ...changes.flatMap((one) => ('team' in one ? [one.team] : [])),
  )
  const { query } = own.db
  if (team.name !== undefined) await checkTeamName(query, team.name, teamId)
  const now = own.clock.now()
  // Two changes of a team wait for each other here.
  await changeRow(query, 'team', { id: teamId }, { ...team, updatedAt: now })
  for (const change of changes) {
    if ('team' in change) continue
    const { mode } = change
    const { logo, ...data } = change.account
    if (data.gatewayAccount !== undefined) {
      await query(KEEP_FEEDS, [teamId, own.gateways.reportingPlaces, now])
    }
    const [account] = await query(ACCOUNT, [teamId, mode])
    assert(account !== undefined, 'a team has both accounts')
    await changeRow(query, 'account', { id: account.id }, data)
    if (logo !== undefined) await writeLogo(query, account.id, logo, now)
  }
}
