// The settings of a team and its accounts that operators may change, and their rules. The command
// line and the console read their own texts; a change has typed values.

import { isZone } from '../core/business-day.ts'
import { isColour } from '../core/colour.ts'
import type { MessageChannel } from '../core/delivery.ts'
import { LANGUAGES } from '../core/language.ts'
import { LIVE_GATEWAYS } from '../core/live-gateway.ts'
import { isOneAddress } from '../core/mail-address.ts'
import { OperatorError } from '../core/operator-error.ts'
import { isPhoneLike } from '../core/phone-number.ts'
import { PICTURE_RULE } from '../core/picture.ts'
import type { Account, Prisma, Team } from '../generated/client.ts'
import type { World } from '../world.ts'
import { isTeamName, TEAM_NAME_RULE } from './create-team.ts'
import { type Logo, writeLogo } from './keep-logo.ts'
import type { Mode } from './key.ts'

type TeamSetting =
  | 'name'
  | 'email'
  | 'status'
  | 'enabled'
  | 'smsEnabled'
  | 'splitFundingEnabled'
  | 'settlementTokenizationEnabled'

export type TeamSettings = Partial<Pick<Team, TeamSetting>>

type ScalarSetting =
  | 'rateLimitPerMinute'
  | 'cutoff'
  | 'timezone'
  | 'retryDays'
  | 'gatewayAccount'
  | 'liveGateway'
  | 'language'
  | 'colour'
  | 'supportEmail'
  | 'supportPhone'
  | 'website'

/** Each account has its own. */
export interface AccountSettings extends Partial<Pick<Account, ScalarSetting>> {
  readonly autoReceipts?: MessageChannel[]
  /** Null removes it. */
  readonly logo?: Logo | null
}

export type TeamChange =
  | { readonly team: TeamSettings }
  | { readonly mode: Mode; readonly account: AccountSettings }

/** Requests a minute for each key. RATE_LIMIT_PER_MINUTE has the same limit. */
export const MOST_REQUESTS = 1_000_000

/** The database has the same limit. */
const MOST_RETRIES = 10

/** A failed payment is not retried after a year. */
const LAST_RETRY_DAY = 365

/** Enough to send to: only a message shows whether the address exists. */
const ADDRESS = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u

const LONGEST_ADDRESS = 320

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/

/** As Stripe names a merchant's own account. */
const GATEWAY_ACCOUNT = /^acct_[A-Za-z0-9]{1,100}$/

/** The faults of invalid values. */
export const SETTING_FAULTS = {
  name: TEAM_NAME_RULE,
  email: `an address such as pay@shop.example, ${LONGEST_ADDRESS} characters at most; or none`,
  rateLimitPerMinute: `a minute's requests are a whole number, 1 to ${MOST_REQUESTS}`,
  cutoff: 'the business day ends at a time from 00:00 to 23:59, such as 20:00',
  timezone: 'there is no such time zone; one of the tz database is America/New_York',
  retryDays:
    `a failed payment is tried again after up to ${MOST_RETRIES} numbers of days, ` +
    `1 to ${LAST_RETRY_DAY}, each more than the one before, such as 1,3,7; or none`,
  gatewayAccount:
    "a live account's own Stripe account is called acct_…; none: it is paid into the platform's",
  liveGateway: `the gateway of a live account is ${LIVE_GATEWAYS.join(' or ')}; or default`,
  autoReceipts: 'automatic receipts go out by email, by sms, by email,sms; or by none',
  language: `the language of payers' pages and letters is ${LANGUAGES.join(', ')}`,
  colour: 'a colour is # and six hexadecimal digits, such as #0b5fff; or none',
  supportEmail: 'an address that payers may write to, such as help@shop.example; or none',
  supportPhone: 'a number that payers may call, such as +1 212 555 0100; or none',
  website: 'an address that begins with https:// or http://, such as https://shop.example; or none',
  logo: `${PICTURE_RULE}; or none`,
} as const

/** Undefined if the change can be written. */
export function teamChangeFault(change: TeamChange): string | undefined {
  if ('team' in change) {
    const { name, email } = change.team
    if (name !== undefined && !isTeamName(name)) return SETTING_FAULTS.name
    return email == null || isAddress(email) ? undefined : SETTING_FAULTS.email
  }
  const { rateLimitPerMinute: limit, cutoff, timezone, retryDays, autoReceipts } = change.account
  if (limit !== undefined && !isWhole(limit, MOST_REQUESTS))
    return SETTING_FAULTS.rateLimitPerMinute
  if (cutoff !== undefined && !TIME_OF_DAY.test(cutoff)) return SETTING_FAULTS.cutoff
  if (timezone !== undefined && !isZone(timezone)) return SETTING_FAULTS.timezone
  if (retryDays !== undefined && !isRetryPlan(retryDays)) return SETTING_FAULTS.retryDays
  const { gatewayAccount, liveGateway } = change.account
  const isLive = change.mode === 'live'
  if (gatewayAccount != null && !(isLive && GATEWAY_ACCOUNT.test(gatewayAccount)))
    return SETTING_FAULTS.gatewayAccount
  if (liveGateway != null && !(isLive && LIVE_GATEWAYS.some((one) => one === liveGateway)))
    return SETTING_FAULTS.liveGateway
  const isRepeated = new Set(autoReceipts).size !== (autoReceipts ?? []).length
  return isRepeated ? SETTING_FAULTS.autoReceipts : lookFault(change.account)
}

const LONGEST_CONTACT = { phone: 40, website: 200 }

function lookFault(look: AccountSettings): string | undefined {
  const { language, colour, supportEmail, supportPhone, website } = look
  if (language !== undefined && !LANGUAGES.some((one) => one === language))
    return SETTING_FAULTS.language
  if (colour != null && !isColour(colour)) return SETTING_FAULTS.colour
  if (supportEmail != null && !isOneAddress(supportEmail)) return SETTING_FAULTS.supportEmail
  if (supportPhone != null && !isPhone(supportPhone)) return SETTING_FAULTS.supportPhone
  return website != null && !isWebsite(website) ? SETTING_FAULTS.website : undefined
}

function isPhone(text: string): boolean {
  return text.length <= LONGEST_CONTACT.phone && isPhoneLike(text)
}

/** A name before an @ would look like the host. */
function isWebsite(text: string): boolean {
  if (text.length > LONGEST_CONTACT.website || /[\s\p{C}]/u.test(text) || !URL.canParse(text)) {
    return false
  }
  const { protocol, hostname, username, password } = new URL(text)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && hostname.includes('.') && username === '' && password === ''
}

function isAddress(text: string): boolean {
  // The database counts characters, not UTF-16 units.
  return ADDRESS.test(text) && [...text].length <= LONGEST_ADDRESS
}

function isWhole(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most
}

function isRetryPlan(days: readonly number[]): boolean {
  return (
    days.length <= MOST_RETRIES &&
    days.every((day, i) => isWhole(day, LAST_RETRY_DAY) && day > (days[i - 1] ?? 0))
  )
}

/** The fault of a change to a gateway that this process has no settings for. */
export function gatewayFault({ gateways }: World, change: TeamChange): string | undefined {
  const name = 'account' in change ? change.account.liveGateway : undefined
  if (name == null || gateways.serves({ gatewayName: name })) return undefined
  return `${name} is not set up: set ${name.toUpperCase()}_SECRET_KEY and its other settings first`
}

/**
 * Writes all changes or none, in the caller's transaction or in its own, and refuses invalid ones.
 * An open batch keeps its cutoff; a new cutoff applies from the next batch on.
 */
export async function changeTeam(
  world: World,
  teamId: string,
  changes: readonly TeamChange[],
  tx?: Prisma.TransactionClient,
): Promise<void> {
  if (tx === undefined) {
    return world.db.prisma.$transaction((own) => changeTeam(world, teamId, changes, own))
  }
  const fault = changes
    .map((change) => teamChangeFault(change) ?? gatewayFault(world, change))
    .find((one) => one !== undefined)
  if (fault !== undefined) throw new OperatorError(fault)
  const team = Object.assign({}, ...changes.flatMap((one) => ('team' in one ? [one.team] : [])))
  await tx.team.update({
    where: { id: teamId },
    data: { ...team, updatedAt: world.clock.now() },
  })
  for (const change of changes) {
    if ('team' in change) continue
    const { mode } = change
    const { logo, ...data } = change.account
    const { id } = await tx.account.update({ where: { teamId_mode: { teamId, mode } }, data })
    if (logo !== undefined) await writeLogo(tx, id, logo, world.clock.now())
  }
}
