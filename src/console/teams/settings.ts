// The settings of a team that operators may change, with one form field for each. Only changed
// settings are read and written, and the audit entry has the old and the new values.

import { readTeamSetting, type TeamChange } from '../../accounts/change-team.ts'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { MODES, type Mode } from '../../accounts/key.ts'
import type { Account } from '../../generated/client.ts'
import type { Form } from '../../web/forms.ts'
import type { FormFaults } from '../parts/fields.tsx'

/** Named as on the command line: `name`, `live_cutoff`. */
type Settings = Readonly<Record<string, string>>

export type Section = 'team' | Mode

export const FLAGS = {
  enabled: 'Enabled',
  sms_enabled: 'SMS',
  split_funding_enabled: 'Split funding',
  settlement_tokenization_enabled: 'Settlement tokenization',
} as const

export const TEAM_STATUSES = ['active', 'inactive'] as const

const NONE = 'none'

export function isSection(text: string | undefined): text is Section {
  return text === 'team' || MODES.some((mode) => mode === text)
}

/** The current values of the section. */
export function settingsOf(team: TeamWithAccounts, section: Section): Settings {
  if (section !== 'team') {
    const account = team.accounts.find(({ mode }) => mode === section)
    return account === undefined ? {} : settingsOfAccount(account)
  }
  return {
    name: team.name,
    email: team.email ?? NONE,
    status: team.status,
    enabled: String(team.enabled),
    sms_enabled: String(team.smsEnabled),
    split_funding_enabled: String(team.splitFundingEnabled),
    settlement_tokenization_enabled: String(team.settlementTokenizationEnabled),
  }
}

function settingsOfAccount(account: Account): Settings {
  const { mode } = account
  return {
    [`${mode}_rate_limit`]: String(account.rateLimitPerMinute),
    [`${mode}_cutoff`]: account.cutoff,
    [`${mode}_timezone`]: account.timezone,
    [`${mode}_retry_days`]: account.retryDays.join() || NONE,
    [`${mode}_receipts`]: account.autoReceipts.join() || NONE,
  }
}

/** As they were typed. A browser does not send an unticked box. */
export function typedSettings(form: Form, section: Section): Settings {
  const text = (name: string) => (form[name] ?? '').replaceAll('\0', '').trim()
  if (section === 'team') {
    const flags = Object.keys(FLAGS).map((name) => [name, String(form[name] === 'on')])
    return {
      name: text('name'),
      email: text('email') || NONE,
      status: text('status'),
      ...Object.fromEntries(flags),
    }
  }
  const channels = ['email', 'sms'].filter((one) => form[`${section}_receipts_${one}`] === 'on')
  return {
    [`${section}_rate_limit`]: text(`${section}_rate_limit`),
    [`${section}_cutoff`]: text(`${section}_cutoff`),
    [`${section}_timezone`]: text(`${section}_timezone`),
    [`${section}_retry_days`]: text(`${section}_retry_days`).replaceAll(' ', '') || NONE,
    [`${section}_receipts`]: channels.join() || NONE,
  }
}

export interface SettingChange {
  readonly name: string
  readonly from: string
  readonly to: string
}

export function settingChanges(current: Settings, typed: Settings): readonly SettingChange[] {
  return Object.entries(typed)
    .filter(([name, to]) => current[name] !== undefined && current[name] !== to)
    .map(([name, to]) => ({ name, from: current[name] ?? NONE, to }))
}

/** The faults by field, and the changes that can be written. */
export function readChanges(changes: readonly SettingChange[]): {
  readonly faults: FormFaults
  readonly read: readonly TeamChange[]
} {
  const faults: Record<string, string> = {}
  const read: TeamChange[] = []
  for (const { name, to } of changes) {
    const change = readTeamSetting(name, to)
    if (change === undefined) {
      faults[name] = name === 'name' ? 'Enter a name.' : 'Enter a value.'
    } else if ('fault' in change) {
      faults[name] = change.fault
    } else read.push(change)
  }
  return { faults, read }
}

/** A refused form: the typed values and the faults. */
export interface Refused {
  readonly section: Section | 'key'
  readonly typed: Settings
  readonly faults: FormFaults
}
