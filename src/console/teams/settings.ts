// The settings of a team that operators may change, by the section of the page. Each has a field in
// the section's form, and a text that the field and the audit entry show.

import type { AccountSettings, TeamChange, TeamSettings } from '../../accounts/change-team.ts'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { MODES } from '../../accounts/key.ts'
import { MESSAGE_CHANNELS } from '../../core/delivery.ts'
import { LIVE_GATEWAYS } from '../../core/live-gateway.ts'
import { wholeNumber } from '../../core/text.ts'
import type { Account } from '../../generated/client.ts'
import { type Form, lineOf } from '../../web/forms.ts'
import type { FormFaults } from '../parts/fields.tsx'

const LOOK_SECTIONS = MODES.map((mode) => `${mode}-look` as const)

/** The facts of a team, whether it may move money, its accounts, and their looks for payers. */
export const TEAM_SECTIONS = ['team', 'payments', ...MODES, ...LOOK_SECTIONS] as const

export type TeamSection = (typeof TEAM_SECTIONS)[number]

export interface TeamSetting {
  /** The name of its field, which is also its name on the command line: `live_cutoff`. */
  readonly field: string
  /** The current value as a text, which is empty if there is none. */
  readonly current: string
  readonly typedIn: (form: Form) => string
  /** Undefined if the text is none of the choices. */
  readonly changeTo: (text: string) => TeamChange | undefined
}

/** A refused form: the texts of its fields, and the faults of some. */
export interface RefusedTeam {
  readonly section: TeamSection | 'keys'
  readonly typed: Form
  readonly faults: FormFaults
}

export const TEAM_STATUSES = ['active', 'inactive'] as const

const DEFAULT = 'default'

export const GATEWAY_CHOICES = [DEFAULT, ...LIVE_GATEWAYS] as const

export function teamSettings(team: TeamWithAccounts, section: TeamSection): readonly TeamSetting[] {
  if (section === 'team') return factSettings(team)
  if (section === 'payments') return paymentSettings(team)
  const account = accountOf(team, section)
  if (account === undefined) return []
  return section === account.mode ? accountSettings(account) : lookSettings(account)
}

/** A form carries the settings that it showed: an old one would put them back. */
export function textOfShown(team: TeamWithAccounts, section: TeamSection): string {
  return JSON.stringify(teamSettings(team, section).map(({ current }) => current))
}

export function accountOf(team: TeamWithAccounts, section: TeamSection): Account | undefined {
  return team.accounts.find(({ mode }) => section === mode || section === `${mode}-look`)
}

function factSettings(team: TeamWithAccounts): readonly TeamSetting[] {
  const { smsEnabled, splitFundingEnabled, settlementTokenizationEnabled } = team
  return [
    ofTeam('name', team.name, (name) => ({ name })),
    ofTeam('email', team.email, (text) => ({ email: text || null })),
    flagOfTeam('sms_enabled', smsEnabled, (isSet) => ({ smsEnabled: isSet })),
    flagOfTeam('split_funding_enabled', splitFundingEnabled, (isSet) => ({
      splitFundingEnabled: isSet,
    })),
    flagOfTeam('settlement_tokenization_enabled', settlementTokenizationEnabled, (isSet) => ({
      settlementTokenizationEnabled: isSet,
    })),
  ]
}

function paymentSettings({ status, enabled }: TeamWithAccounts): readonly TeamSetting[] {
  return [
    ofTeam('status', status, (text) => {
      const chosen = TEAM_STATUSES.find((one) => one === text)
      return chosen && { status: chosen }
    }),
    flagOfTeam('enabled', enabled, (isSet) => ({ enabled: isSet })),
  ]
}

function accountSettings(account: Account): readonly TeamSetting[] {
  const { mode, rateLimitPerMinute, cutoff, timezone, retryDays, autoReceipts } = account
  const own = ofAccount(account)
  const gateway = own(
    'gateway',
    account.liveGateway ?? DEFAULT,
    (text) => ({ liveGateway: text === DEFAULT ? null : text }),
    (typed) => typed || DEFAULT,
  )
  return [
    own('rate_limit', String(rateLimitPerMinute), (text) => ({
      rateLimitPerMinute: wholeNumber(text),
    })),
    own('cutoff', cutoff, (text) => ({ cutoff: text })),
    own('timezone', timezone, (text) => ({ timezone: text })),
    own(
      'retry_days',
      retryDays.join(),
      (text) => ({ retryDays: listed(text).map(wholeNumber) }),
      (typed) => typed.replaceAll(' ', ''),
    ),
    {
      ...own('receipts', autoReceipts.join(), (text) => ({
        autoReceipts: MESSAGE_CHANNELS.filter((channel) => listed(text).includes(channel)),
      })),
      typedIn: (form) =>
        MESSAGE_CHANNELS.filter((channel) => isTicked(form, `${mode}_receipts_${channel}`)).join(),
    },
    ...(mode === 'live' ? [gateway] : []),
  ]
}

function lookSettings(account: Account): readonly TeamSetting[] {
  const own = ofAccount(account)
  return [
    own('language', account.language, (text) => ({ language: text })),
    own(
      'colour',
      account.colour,
      (text) => ({ colour: text || null }),
      (typed) => typed.toLowerCase(),
    ),
    own('support_email', account.supportEmail, (text) => ({ supportEmail: text || null })),
    own('support_phone', account.supportPhone, (text) => ({ supportPhone: text || null })),
    own('website', account.website, (text) => ({ website: text || null })),
  ]
}

/** More than an e-mail address, the longest of them. */
const LONGEST = 400

function ofTeam(
  field: string,
  current: string | null,
  changeTo: (text: string) => TeamSettings | undefined,
): TeamSetting {
  return {
    field,
    current: current ?? '',
    typedIn: (form) => lineOf(form[field], LONGEST),
    changeTo(text) {
      const team = changeTo(text)
      return team && { team }
    },
  }
}

function flagOfTeam(
  field: string,
  isSet: boolean,
  changeTo: (isSet: boolean) => TeamSettings,
): TeamSetting {
  return {
    field,
    current: String(isSet),
    typedIn: (form) => String(isTicked(form, field)),
    changeTo: (text) => ({ team: changeTo(text === 'true') }),
  }
}

function ofAccount({ mode }: Account) {
  return (
    name: string,
    current: string | null,
    changeTo: (text: string) => AccountSettings,
    tidied: (typed: string) => string = (typed) => typed,
  ): TeamSetting => ({
    field: `${mode}_${name}`,
    current: current ?? '',
    typedIn: (form) => tidied(lineOf(form[`${mode}_${name}`], LONGEST)),
    changeTo: (text) => ({ mode, account: changeTo(text) }),
  })
}

/** A browser does not send an unticked box. */
function isTicked(form: Form, field: string): boolean {
  return form[field] === 'on'
}

function listed(text: string): readonly string[] {
  return text === '' ? [] : text.split(',')
}
