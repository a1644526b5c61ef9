// The settings of a team that operators may change, with one form field for each. Only changed
// settings are read and written, and the audit entry has the old and the new values.

import {
  type AccountSettings,
  gatewayFault,
  RECEIPT_CHANNELS,
  type TeamChange,
  teamChangeFault,
} from '../../accounts/change-team.ts'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { MODES, type Mode } from '../../accounts/key.ts'
import { LIVE_GATEWAYS } from '../../core/live-gateway.ts'
import { wholeNumber } from '../../core/text.ts'
import type { Account } from '../../generated/client.ts'
import { type Form, lineOf } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import type { FormFaults } from '../parts/fields.tsx'

/** Named as on the command line: `name`, `live_cutoff`. */
type Settings = Readonly<Record<string, string>>

/** What payers see of an account. */
export type LookSection = `${Mode}-look`

export type Section = (typeof OF_TEAM)[number] | Mode | LookSection

/** What a team is, and whether it may move money. */
const OF_TEAM = ['team', 'payments'] as const

export const FLAGS = {
  sms_enabled: 'SMS',
  split_funding_enabled: 'Split funding',
  settlement_tokenization_enabled: 'Settlement tokenization',
} as const

export const TEAM_STATUSES = ['active', 'inactive'] as const

const NONE = 'none'

const DEFAULT = 'default'

const LOOK_SECTIONS = MODES.map((mode) => `${mode}-look` as const)

/** The contact fields of a look. */
export const CONTACT = {
  support_email: 'supportEmail',
  support_phone: 'supportPhone',
  website: 'website',
} as const satisfies Readonly<Record<string, keyof Account>>

export const GATEWAY_CHOICES = [DEFAULT, ...LIVE_GATEWAYS] as const

export function isSection(text: string | undefined): text is Section {
  return [...OF_TEAM, ...MODES, ...LOOK_SECTIONS].some((section) => section === text)
}

export function isLook(section: Section): section is LookSection {
  return LOOK_SECTIONS.some((one) => one === section)
}

/** The current values of the section. */
export function settingsOf(team: TeamWithAccounts, section: Section): Settings {
  switch (section) {
    case 'team':
      return {
        name: team.name,
        email: team.email ?? NONE,
        sms_enabled: String(team.smsEnabled),
        split_funding_enabled: String(team.splitFundingEnabled),
        settlement_tokenization_enabled: String(team.settlementTokenizationEnabled),
      }
    case 'payments':
      return { status: team.status, enabled: String(team.enabled) }
  }
  const account = team.accounts.find(({ mode }) => section.startsWith(mode))
  if (account === undefined) return {}
  return section === account.mode ? settingsOfAccount(account) : settingsOfLook(account)
}

function settingsOfLook(account: Account): Settings {
  const { mode, language, colour } = account
  const contact = Object.entries(CONTACT).map(([name, key]) => [
    `${mode}_${name}`,
    account[key] ?? NONE,
  ])
  return {
    [`${mode}_language`]: language,
    [`${mode}_colour`]: colour ?? NONE,
    ...Object.fromEntries(contact),
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
    ...(mode === 'live' && { live_gateway: account.liveGateway ?? DEFAULT }),
  }
}

/** More than an e-mail address, the longest of them. */
const LONGEST = 400

/** As they were typed. A browser does not send an unticked box. */
export function typedSettings(form: Form, section: Section): Settings {
  const text = (name: string) => lineOf(form[name], LONGEST)
  const flag = (name: string) => String(form[name] === 'on')
  switch (section) {
    case 'team': {
      const flags = Object.keys(FLAGS).map((name) => [name, flag(name)])
      return { name: text('name'), email: text('email') || NONE, ...Object.fromEntries(flags) }
    }
    case 'payments':
      return { status: text('status'), enabled: flag('enabled') }
  }
  if (isLook(section)) return typedLook(text, section)
  const channels = ['email', 'sms'].filter((one) => form[`${section}_receipts_${one}`] === 'on')
  return {
    [`${section}_rate_limit`]: text(`${section}_rate_limit`),
    [`${section}_cutoff`]: text(`${section}_cutoff`),
    [`${section}_timezone`]: text(`${section}_timezone`),
    [`${section}_retry_days`]: text(`${section}_retry_days`).replaceAll(' ', '') || NONE,
    [`${section}_receipts`]: channels.join() || NONE,
    ...(section === 'live' && { live_gateway: text('live_gateway') || DEFAULT }),
  }
}

function typedLook(text: (name: string) => string, section: LookSection): Settings {
  const mode = modeOf(section)
  const names = ['language', 'colour', ...Object.keys(CONTACT)].map((name) => `${mode}_${name}`)
  const typed = names.map((name) => [name, text(name) || NONE] as const)
  const colour = [`${mode}_colour`, (text(`${mode}_colour`) || NONE).toLowerCase()] as const
  return Object.fromEntries([...typed, colour])
}

export function modeOf(section: LookSection): Mode {
  return section === 'live-look' ? 'live' : 'sandbox'
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
export function readChanges(
  world: World,
  changes: readonly SettingChange[],
): {
  readonly faults: FormFaults
  readonly read: readonly TeamChange[]
} {
  const faults: Record<string, string> = {}
  const read: TeamChange[] = []
  for (const { name, to } of changes) {
    const change = changeOf(name, to)
    const fault = change === undefined ? 'Choose a value.' : faultOf(world, change)
    if (fault !== undefined) faults[name] = sentenceOf(fault)
    else if (change !== undefined) read.push(change)
  }
  return { faults, read }
}

/** The command line shows the same fault within a line of its own. */
export function sentenceOf(fault: string): string {
  const begun = fault.charAt(0).toUpperCase() + fault.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

function faultOf(world: World, change: TeamChange): string | undefined {
  return teamChangeFault(change) ?? gatewayFault(world, change)
}

/** The value of a field. Undefined if the text is none of its choices. */
function changeOf(name: string, text: string): TeamChange | undefined {
  switch (name) {
    case 'name':
      return { team: { name: text } }
    case 'email':
      return { team: { email: text === NONE ? null : text } }
    case 'status': {
      const status = TEAM_STATUSES.find((one) => one === text)
      return status && { team: { status } }
    }
    case 'enabled':
      return { team: { enabled: text === 'true' } }
    case 'sms_enabled':
      return { team: { smsEnabled: text === 'true' } }
    case 'split_funding_enabled':
      return { team: { splitFundingEnabled: text === 'true' } }
    case 'settlement_tokenization_enabled':
      return { team: { settlementTokenizationEnabled: text === 'true' } }
  }
  const mode = MODES.find((one) => name.startsWith(`${one}_`))
  const account = mode && accountSettingOf(name.slice(mode.length + 1), text)
  return account && { mode, account }
}

function accountSettingOf(name: string, text: string): AccountSettings | undefined {
  const list = text === NONE ? [] : text.split(',')
  switch (name) {
    case 'rate_limit':
      return { rateLimitPerMinute: wholeNumber(text) }
    case 'cutoff':
      return { cutoff: text }
    case 'timezone':
      return { timezone: text }
    case 'retry_days':
      return { retryDays: list.map(wholeNumber) }
    case 'gateway':
      return { liveGateway: text === DEFAULT ? null : text }
    case 'receipts':
      return { autoReceipts: RECEIPT_CHANNELS.filter((channel) => list.includes(channel)) }
    case 'language':
      return { language: text }
    case 'colour':
      return { colour: text === NONE ? null : text }
    case 'support_email':
      return { supportEmail: text === NONE ? null : text }
    case 'support_phone':
      return { supportPhone: text === NONE ? null : text }
    case 'website':
      return { website: text === NONE ? null : text }
  }
  return undefined
}

/** A refused form: the typed values and the faults. */
export interface Refused {
  readonly section: Section | 'key'
  readonly typed: Settings
  readonly faults: FormFaults
}
