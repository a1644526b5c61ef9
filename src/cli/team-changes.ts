// The changes of a team as the command line writes them: `status=inactive`, `live_cutoff=18:30`.

import { readFileSync, statSync } from 'node:fs'
import {
  type AccountSettings,
  MOST_REQUESTS,
  SETTING_FAULTS,
  type TeamChange,
  type TeamSettings,
  teamChangeFault,
} from '../accounts/change-team.ts'
import { logoOf } from '../accounts/keep-logo.ts'
import type { Mode } from '../accounts/key.ts'
import { MESSAGE_CHANNELS } from '../core/delivery.ts'
import { LANGUAGES } from '../core/language.ts'
import { OperatorError } from '../core/operator-error.ts'
import { MOST_PICTURE_BYTES } from '../core/picture.ts'
import { wholeNumber } from '../core/text.ts'

const FLAGS = {
  enabled: 'enabled',
  sms_enabled: 'smsEnabled',
  split_funding_enabled: 'splitFundingEnabled',
  settlement_tokenization_enabled: 'settlementTokenizationEnabled',
} as const

/** A setting that each account has. */
interface AccountText {
  readonly form: string
  /** Returns a fault if the text has no value. */
  readonly read: (text: string) => AccountSettings | { readonly fault: string }
}

const ACCOUNT_TEXTS: Readonly<Record<string, AccountText>> = {
  rate_limit: {
    form: `1 to ${MOST_REQUESTS}`,
    read: (text) => ({ rateLimitPerMinute: wholeNumber(text) }),
  },
  cutoff: { form: 'HH:MM', read: (cutoff) => ({ cutoff }) },
  timezone: { form: 'a time zone', read: (timezone) => ({ timezone }) },
  retry_days: {
    form: 'days or none',
    read: (text) => ({ retryDays: text === 'none' ? [] : text.split(',').map(wholeNumber) }),
  },
  receipts: { form: 'email,sms or none', read: readReceipts },
  stripe_account: {
    form: 'acct_… or none',
    read: (text) => ({ gatewayAccount: text === 'none' ? null : text }),
  },
  gateway: {
    form: 'stripe, checkout or default',
    read: (text) => ({ liveGateway: text === 'default' ? null : text }),
  },
  language: { form: LANGUAGES.join('|'), read: (language) => ({ language }) },
  colour: {
    form: '#rrggbb or none',
    read: (text) => ({ colour: orNone(text)?.toLowerCase() ?? null }),
  },
  support_email: {
    form: 'an address or none',
    read: (text) => ({ supportEmail: orNone(text) }),
  },
  support_phone: { form: 'a number or none', read: (text) => ({ supportPhone: orNone(text) }) },
  website: { form: 'https://… or none', read: (text) => ({ website: orNone(text) }) },
  logo: { form: 'the path of a PNG or JPEG file, or none', read: readLogo },
}

const FORM = [
  'name=…',
  'email=an address or none',
  'status=active|inactive',
  `${Object.keys(FLAGS).join('|')}=true|false`,
  ...Object.entries(ACCOUNT_TEXTS).map(
    ([name, { form }]) => `sandbox_${name}|live_${name}=${form}`,
  ),
].join(', ')

export function readTeamChange(text: string): TeamChange {
  const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/.exec(text) ?? []
  const change = changeOf(name, value)
  if (change === undefined) throw new OperatorError(`${text} is not a change of a team: ${FORM}`)
  if ('fault' in change) throw new OperatorError(`${text}: ${change.fault}`)
  const fault = teamChangeFault(change)
  if (fault !== undefined) throw new OperatorError(`${text}: ${fault}`)
  return change
}

/** Undefined if there is no such setting. */
function changeOf(
  name: string,
  value: string,
): TeamChange | { readonly fault: string } | undefined {
  const team = teamSettingOf(name, value)
  if (team !== undefined) return { team }
  const [, mode = '', own = ''] = /^(sandbox|live)_(.+)$/.exec(name) ?? []
  const account = Object.hasOwn(ACCOUNT_TEXTS, own) ? ACCOUNT_TEXTS[own]?.read(value) : undefined
  if (account === undefined || 'fault' in account) return account
  return { mode: mode as Mode, account }
}

function teamSettingOf(name: string, value: string): TeamSettings | undefined {
  if (name === 'name') return { name: value }
  if (name === 'email') return { email: value === 'none' ? null : value }
  if (name === 'status' && (value === 'active' || value === 'inactive')) return { status: value }
  const flag = Object.entries(FLAGS).find(([known]) => known === name)?.[1]
  const isFlag = flag !== undefined && (value === 'true' || value === 'false')
  return isFlag ? { [flag]: value === 'true' } : undefined
}

function orNone(text: string): string | null {
  return text === 'none' ? null : text
}

function readLogo(path: string): AccountSettings | { readonly fault: string } {
  if (path === 'none') return { logo: null }
  const file = statSync(path, { throwIfNoEntry: false })
  if (file?.isFile() !== true) return { fault: `there is no file ${path}` }
  const logo = file.size > MOST_PICTURE_BYTES ? undefined : logoOf(readFileSync(path))
  return logo === undefined ? { fault: SETTING_FAULTS.logo } : { logo }
}

/** The result has the order of the channels, however they were typed. */
function readReceipts(text: string): AccountSettings | { readonly fault: string } {
  if (text === 'none') return { autoReceipts: [] }
  const named = text.split(',')
  const autoReceipts = MESSAGE_CHANNELS.filter((channel) => named.includes(channel))
  const isRight = autoReceipts.length === named.length
  return isRight ? { autoReceipts } : { fault: SETTING_FAULTS.autoReceipts }
}
