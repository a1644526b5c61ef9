// The settings of a team and its accounts that operators may change. A form gives the setting and
// its text separately; the command line writes both as one: `status=inactive`, `live_cutoff=18:30`.

import { isZone } from '../core/business-day.ts'
import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { Mode } from './key.ts'
import { OperatorError } from './operator-error.ts'

export type TeamChange =
  | { readonly team: Prisma.TeamUpdateInput }
  | { readonly mode: Mode; readonly account: Prisma.AccountUpdateInput }

type AutoReceipt = 'email' | 'sms'

/** A setting that each account has. */
interface Setting {
  readonly isLiveOnly?: true
  readonly form: string
  /** The fault for an invalid value. */
  readonly fault: string
  /** Undefined if the value is invalid. */
  readonly read: (value: string) => Prisma.AccountUpdateInput | undefined
}

const FLAGS = {
  enabled: 'enabled',
  sms_enabled: 'smsEnabled',
  split_funding_enabled: 'splitFundingEnabled',
  settlement_tokenization_enabled: 'settlementTokenizationEnabled',
} as const

/** Requests a minute for each key. RATE_LIMIT_PER_MINUTE has the same limit. */
const MOST_REQUESTS = 1_000_000

/** The database has the same limit. */
const MOST_RETRIES = 10

/** A failed payment is not retried after a year. */
const LAST_RETRY_DAY = 365

/** Enough to send to: only a message shows whether the address exists. */
const ADDRESS = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u

const LONGEST_ADDRESS = 320

const RECEIPTS: readonly AutoReceipt[] = ['email', 'sms']

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/

const SETTINGS: Readonly<Record<string, Setting>> = {
  rate_limit: {
    form: `1 to ${MOST_REQUESTS}`,
    fault: `a minute's requests are a whole number, 1 to ${MOST_REQUESTS}`,
    read: readRateLimit,
  },
  cutoff: {
    form: 'HH:MM',
    fault: 'the business day ends at a time from 00:00 to 23:59, such as 20:00',
    read: (value) => (TIME_OF_DAY.test(value) ? { cutoff: value } : undefined),
  },
  timezone: {
    form: 'a time zone',
    fault: 'there is no such time zone; one of the tz database is America/New_York',
    read: (value) => (isZone(value) ? { timezone: value } : undefined),
  },
  retry_days: {
    form: 'days or none',
    fault: `a failed payment is tried again after up to ${MOST_RETRIES} numbers of days, 1 to ${LAST_RETRY_DAY}, each more than the one before, such as 1,3,7; or none`,
    read: readRetryDays,
  },
  stripe_account: {
    isLiveOnly: true,
    form: 'acct_… or none',
    fault: "a merchant's own Stripe account is called acct_…; none: it is paid into the platform's",
    read: readGatewayAccount,
  },
  receipts: {
    form: 'email,sms or none',
    fault: 'automatic receipts go out by email, by sms, by email,sms; or by none',
    read: readReceipts,
  },
}

const FORM = [
  'name=…',
  'email=an address or none',
  'status=active|inactive',
  `${Object.keys(FLAGS).join('|')}=true|false`,
  ...Object.entries(SETTINGS).map(
    ([name, { form, isLiveOnly }]) => `${isLiveOnly ? '' : `sandbox_${name}|`}live_${name}=${form}`,
  ),
].join(', ')

/** Reads one change from the command line. */
export function readTeamChange(text: string): TeamChange {
  const [, name = '', value = ''] = /^([a-z_]+)=(.+)$/.exec(text) ?? []
  const read = readTeamSetting(name, value)
  if (read === undefined) throw new OperatorError(`${text} is not a change of a team: ${FORM}`)
  if ('fault' in read) throw new OperatorError(`${text}: ${read.fault}`)
  return read
}

/** Undefined if there is no such setting. */
export function readTeamSetting(
  name: string,
  value: string,
): TeamChange | { readonly fault: string } | undefined {
  if (name === 'email' && value !== '') return readAddress(value)
  const team = teamChangeOf(name, value)
  if (team !== undefined) return { team }
  const [, mode = '', own = ''] = /^(sandbox|live)_(.+)$/.exec(name) ?? []
  const named = Object.hasOwn(SETTINGS, own) ? SETTINGS[own] : undefined
  const setting = named?.isLiveOnly && mode !== 'live' ? undefined : named
  const account = setting?.read(value)
  if (account !== undefined) return { mode: mode as Mode, account }
  return setting === undefined || value === '' ? undefined : { fault: setting.fault }
}

function teamChangeOf(name: string, value: string): Prisma.TeamUpdateInput | undefined {
  if (name === 'name' && value !== '') return { name: value }
  if (name === 'status' && (value === 'active' || value === 'inactive')) return { status: value }
  const flag = Object.entries(FLAGS).find(([known]) => known === name)?.[1]
  const isFlag = flag !== undefined && (value === 'true' || value === 'false')
  return isFlag ? { [flag]: value === 'true' } : undefined
}

function readAddress(value: string): TeamChange | { readonly fault: string } {
  if (value === 'none') return { team: { email: null } }
  // The database counts characters, not UTF-16 units.
  const isAddress = ADDRESS.test(value) && [...value].length <= LONGEST_ADDRESS
  if (isAddress) return { team: { email: value } }
  const most = `${LONGEST_ADDRESS} characters at most`
  return { fault: `an address such as pay@shop.example, ${most}; or none` }
}

const STRIPE_ACCOUNT = /^acct_[A-Za-z0-9]{1,100}$/

/** For new payment methods. Those that exist stay in the account where they were made. */
function readGatewayAccount(value: string): Prisma.AccountUpdateInput | undefined {
  if (value === 'none') return { gatewayAccount: null }
  return STRIPE_ACCOUNT.test(value) ? { gatewayAccount: value } : undefined
}

function readReceipts(value: string): Prisma.AccountUpdateInput | undefined {
  if (value === 'none') return { autoReceipts: [] }
  const named = value.split(',')
  const isRight =
    new Set(named).size === named.length &&
    named.every((one) => RECEIPTS.some((channel) => channel === one))
  const autoReceipts = RECEIPTS.filter((channel) => named.includes(channel))
  return isRight ? { autoReceipts } : undefined
}

function readRateLimit(value: string): Prisma.AccountUpdateInput | undefined {
  const limit = /^\d{1,9}$/.test(value) ? Number(value) : 0
  return limit >= 1 && limit <= MOST_REQUESTS ? { rateLimitPerMinute: limit } : undefined
}

function readRetryDays(value: string): Prisma.AccountUpdateInput | undefined {
  if (value === 'none') return { retryDays: [] }
  if (!/^\d{1,3}(,\d{1,3})*$/.test(value)) return undefined
  const days = value.split(',').map(Number)
  const isPlan =
    days.length <= MOST_RETRIES &&
    days.every((day, i) => day > (days[i - 1] ?? 0) && day <= LAST_RETRY_DAY)
  return isPlan ? { retryDays: days } : undefined
}

/**
 * Writes all changes or none, in the caller's transaction or in its own. An open batch keeps its
 * cutoff; a new cutoff applies from the next batch on.
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
  const team = Object.assign({}, ...changes.flatMap((one) => ('team' in one ? [one.team] : [])))
  await tx.team.update({
    where: { id: teamId },
    data: { ...team, updatedAt: world.clock.now() },
  })
  for (const change of changes) {
    if ('team' in change) continue
    const { mode, account } = change
    await tx.account.update({ where: { teamId_mode: { teamId, mode } }, data: account })
  }
}
