// The settings that operators may change, one row each: those of a team, and those that each of its
// accounts has. `teams set`, `teams list` and the console's forms are made of these rows. A logo is
// a file, and no row: `keep-logo.ts`.

import { isColour } from '../core/colour.ts'
import { MESSAGE_CHANNELS } from '../core/delivery.ts'
import { LANGUAGES } from '../core/language.ts'
import { LIVE_GATEWAYS } from '../core/live-gateway.ts'
import { isOneAddress } from '../core/mail-address.ts'
import { snakeCase } from '../core/snake-case.ts'
import { wholeNumber } from '../core/text.ts'
import { isZone } from '../core/wall-clock.ts'
import type { Account, Team, TeamStatus } from '../generated/client.ts'
import { isTeamName, LONGEST_TEAM_NAME, TEAM_NAME_RULE } from './create-team.ts'
import {
  isContactPhone,
  isRateLimit,
  isRetryPlan,
  isStripeAccount,
  isTeamAddress,
  isTimeOfDay,
  isWebsite,
  LONGEST_ADDRESS,
  MOST_REQUESTS,
  RETRY_RULE,
} from './setting-rules.ts'

/** What operators read about a setting, and how they type it. */
export interface SettingWords {
  /** On the command line and in forms, that of an account after its mode: `live_cutoff`. */
  readonly name: string
  /** The form of the console. Without one, only the command line sets it. */
  readonly form?: 'team' | 'payments' | 'account' | 'look'
  readonly label: string
  readonly hint?: string
  /** One of the choices, a tick for each of them, or a tick alone. By default a line of text. */
  readonly input?: 'choice' | 'choices' | 'flag'
  readonly choices?: readonly (readonly [value: string, words: string])[]
  readonly placeholder?: string
  readonly longest?: number
  readonly inputMode?: 'numeric'
  /** What may be typed for no value, beside an empty text. */
  readonly none?: string
  /** What the command line takes. */
  readonly takes: string
  readonly fault: string
  readonly isLiveOnly?: boolean
}

interface SettingValue<Value> {
  /** Undefined if the text is no such value. An empty text is none. */
  readonly read: (text: string) => Value | undefined
  readonly show: (value: Value) => string
  readonly isRight: (value: Value) => boolean
}

/** Its name is that of its column, if the row names no other. */
type SettingRow<Value> = SettingValue<Value> & Omit<SettingWords, 'name'> & { name?: string }

const FLAG = {
  read: (text: string) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
  show: String,
  isRight: () => true,
  input: 'flag',
  takes: 'true|false',
  fault: 'it is true or false',
} as const

function line(isRight: (text: string) => boolean): SettingValue<string> {
  return { read: (text) => text, show: (text) => text, isRight }
}

function lineOrNone(isRight: (text: string) => boolean) {
  return {
    read: (text: string) => text || null,
    show: (text: string | null) => text ?? '',
    isRight: (text: string | null) => text === null || isRight(text),
    none: 'none',
  }
}

const STATUSES: readonly TeamStatus[] = ['active', 'inactive']

export const TEAM_SETTINGS = [
  ofTeam('name', {
    ...line(isTeamName),
    form: 'team',
    label: 'Name',
    longest: LONGEST_TEAM_NAME,
    takes: '…',
    fault: TEAM_NAME_RULE,
  }),
  ofTeam('email', {
    ...lineOrNone(isTeamAddress),
    form: 'team',
    label: 'E-mail',
    hint: 'Reply-to address for receipts, and for our notices.',
    takes: 'an address or none',
    fault: `an address such as pay@shop.example, ${LONGEST_ADDRESS} characters at most; or none`,
  }),
  ofTeam('status', {
    read: (text) => STATUSES.find((one) => one === text),
    show: (status) => status,
    isRight: (status) => STATUSES.includes(status),
    input: 'choice',
    choices: STATUSES.map((one) => [one, one]),
    form: 'payments',
    label: 'Status',
    hint: 'Inactive: requests are answered team_inactive, and messages wait.',
    takes: STATUSES.join('|'),
    fault: `the status of a team is ${STATUSES.join(' or ')}`,
  }),
  ofTeam('enabled', {
    ...FLAG,
    form: 'payments',
    label: 'Enabled',
    hint: 'Otherwise requests are answered team_disabled, and messages wait.',
  }),
  ofTeam('smsEnabled', { ...FLAG, form: 'team', label: 'SMS' }),
  ofTeam('splitFundingEnabled', {
    ...FLAG,
    form: 'team',
    label: 'Split funding',
  }),
  ofTeam('settlementTokenizationEnabled', {
    ...FLAG,
    form: 'team',
    label: 'Settlement tokenization',
  }),
]

export const ACCOUNT_SETTINGS = [
  ofAccount('rateLimitPerMinute', {
    read: wholeNumber,
    show: String,
    isRight: isRateLimit,
    name: 'rate_limit',
    form: 'account',
    label: 'Requests a minute',
    inputMode: 'numeric',
    takes: `1 to ${MOST_REQUESTS}`,
    fault: `a minute's requests are a whole number, 1 to ${MOST_REQUESTS}`,
  }),
  ofAccount('cutoff', {
    ...line(isTimeOfDay),
    form: 'account',
    label: 'The business day ends at',
    hint: 'Applies from the next batch. An open batch keeps its cutoff.',
    takes: 'HH:MM',
    fault: 'the business day ends at a time from 00:00 to 23:59, such as 20:00',
  }),
  ofAccount('timezone', {
    ...line(isZone),
    form: 'account',
    label: 'In the time zone',
    takes: 'a time zone',
    fault: 'there is no such time zone; one of the tz database is America/New_York',
  }),
  ofAccount('retryDays', {
    read: (text) => listed(text).map(wholeNumber),
    show: (days) => days.join(),
    isRight: isRetryPlan,
    none: 'none',
    form: 'account',
    label: 'Retry days',
    hint: 'Days after which a failed automatic payment is retried. Leave empty for no retries.',
    takes: 'days or none',
    fault: RETRY_RULE,
  }),
  ofAccount('autoReceipts', {
    read: readChannels,
    show: (channels) => channels.join(),
    isRight: (channels) => readChannels(channels.join())?.length === channels.length,
    none: 'none',
    input: 'choices',
    choices: [
      ['email', 'By e-mail'],
      ['sms', 'By SMS'],
    ],
    name: 'receipts',
    form: 'account',
    label: 'Automatic receipts',
    takes: 'email,sms or none',
    fault: 'automatic receipts go out by email, by sms, by email,sms; or by none',
  }),
  ofAccount('gatewayAccount', {
    ...lineOrNone(isStripeAccount),
    name: 'stripe_account',
    label: 'Stripe account',
    takes: 'acct_… or none',
    fault:
      "a live account's own Stripe account is called acct_…; none: it is paid into the platform's",
    isLiveOnly: true,
  }),
  ofAccount('liveGateway', {
    ...lineOrNone((text) => LIVE_GATEWAYS.some((one) => one === text)),
    none: 'default',
    input: 'choice',
    choices: [['', 'default'], ...LIVE_GATEWAYS.map((one) => [one, one] as const)],
    name: 'gateway',
    form: 'account',
    label: 'Gateway',
    takes: 'stripe, checkout or default',
    fault: `the gateway of a live account is ${LIVE_GATEWAYS.join(' or ')}; or default`,
    isLiveOnly: true,
  }),
  ofAccount('language', {
    ...line((text) => LANGUAGES.some((one) => one === text)),
    input: 'choice',
    choices: [
      ['en', 'English'],
      ['es', 'Spanish'],
      ['fr', 'French'],
    ],
    form: 'look',
    label: 'Language',
    hint: 'For e-mails, and for pages when the payer’s browser asks for none of the three.',
    takes: LANGUAGES.join('|'),
    fault: `the language of payers' pages and letters is ${LANGUAGES.join(', ')}`,
  }),
  ofAccount('colour', {
    ...lineOrNone(isColour),
    read: (text) => text.toLowerCase() || null,
    form: 'look',
    label: 'Colour',
    placeholder: '#0b5fff',
    longest: 7,
    hint: 'For buttons and lines. Made darker or lighter where it would be hard to read.',
    takes: '#rrggbb or none',
    fault: 'a colour is # and six hexadecimal digits, such as #0b5fff; or none',
  }),
  ofAccount('supportEmail', {
    ...lineOrNone(isOneAddress),
    form: 'look',
    label: 'E-mail for payers',
    hint: 'Shown to payers, and the reply-to address of e-mails.',
    takes: 'an address or none',
    fault: 'an address that payers may write to, such as help@shop.example; or none',
  }),
  ofAccount('supportPhone', {
    ...lineOrNone(isContactPhone),
    form: 'look',
    label: 'Phone for payers',
    takes: 'a number or none',
    fault: 'a number that payers may call, such as +1 212 555 0100; or none',
  }),
  ofAccount('website', {
    ...lineOrNone(isWebsite),
    form: 'look',
    label: 'Website',
    placeholder: 'https://shop.example',
    takes: 'https://… or none',
    fault: 'an address that begins with https:// or http://, such as https://shop.example; or none',
  }),
]

export type TeamSetting = (typeof TEAM_SETTINGS)[number]
export type AccountSetting = (typeof ACCOUNT_SETTINGS)[number]

function ofTeam<Key extends keyof Team>(key: Key, row: SettingRow<Team[Key]>) {
  return settingOf<Team, Key>(key, row)
}

function ofAccount<Key extends keyof Account>(key: Key, row: SettingRow<Account[Key]>) {
  return settingOf<Account, Key>(key, row)
}

/** The row, for code that does not know the type of its value. */
function settingOf<Whole, Key extends keyof Whole & string>(key: Key, row: SettingRow<Whole[Key]>) {
  const { read, show, isRight, ...words } = row
  const rightIn = (text: string) => {
    const value = read(text === words.none ? '' : text)
    return value === undefined || !isRight(value) ? undefined : value
  }
  const column = snakeCase(key)
  return {
    ...words,
    name: words.name ?? column,
    key,
    column,
    textOf: (whole: Whole): string => show(whole[key]),
    /** The text as it is shown, or as it was typed if it breaks the rule. */
    tidied(text: string): string {
      const value = rightIn(text)
      return value === undefined ? text : show(value)
    },
    /** Undefined if the text breaks the rule. */
    changeTo(text: string): Partial<Pick<Whole, Key>> | undefined {
      const value = rightIn(text)
      if (value === undefined) return undefined
      const change: Partial<Pick<Whole, Key>> = {}
      change[key] = value
      return change
    },
    isRightIn(change: Partial<Pick<Whole, Key>>): boolean {
      const value = change[key]
      return value === undefined || isRight(value)
    },
  }
}

function listed(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((one) => one.trim())
}

/** In the order of the channels, however they were typed. Undefined if one is unknown or repeated. */
function readChannels(text: string) {
  const named = listed(text)
  const channels = MESSAGE_CHANNELS.filter((channel) => named.includes(channel))
  return channels.length === named.length ? channels : undefined
}
