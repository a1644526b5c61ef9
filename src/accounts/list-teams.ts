// Teams as the command line shows them: the row, and the settings of each of its accounts. Read
// without Prisma, so that short commands answer soon.

import { isId } from '../core/id.ts'
import { DEFAULT_LANGUAGE } from '../core/language.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { Account, Team } from '../generated/client.ts'
import type { QueryWorld } from '../world.ts'
import type { Mode } from './key.ts'

/** The settings of an account are null if the team has no such account. */
export interface TeamSummary extends Team {
  readonly sandboxAccountId: string | null
  readonly liveAccountId: string | null
  readonly sandboxRateLimit: number | null
  readonly liveRateLimit: number | null
  readonly sandboxCutoff: string | null
  readonly liveCutoff: string | null
  readonly sandboxTimezone: string | null
  readonly liveTimezone: string | null
  readonly sandboxRetryDays: readonly number[] | null
  readonly liveRetryDays: readonly number[] | null
  readonly sandboxReceipts: Account['autoReceipts'] | null
  readonly liveReceipts: Account['autoReceipts'] | null
  readonly liveStripeAccount: string | null
  readonly liveGateway: string | null
  /** The settings that differ from the default, as the command line sets them. */
  readonly sandboxLook: readonly string[]
  readonly liveLook: readonly string[]
}

/** The look as the command line sets it. `account` and `logo` are the aliases of their tables. */
function lookOf(account: string, logo: string): string {
  const texts = ['colour', 'support_email', 'support_phone', 'website']
  return `array_remove(ARRAY[
    'language=' || nullif(${account}.language, '${DEFAULT_LANGUAGE}'),
    ${texts.map((name) => `'${name}=' || ${account}.${name}`).join(', ')},
    'logo=' || upper(${logo}.kind) || ', ' || ${logo}.width || ' × ' || ${logo}.height
  ], NULL)`
}

const TEAM_COLUMNS = `
  t.id, t.name, t.email, t.status, t.enabled, t.sms_enabled AS "smsEnabled",
  t.split_funding_enabled AS "splitFundingEnabled",
  t.settlement_tokenization_enabled AS "settlementTokenizationEnabled",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  s.id AS "sandboxAccountId", l.id AS "liveAccountId",
  s.rate_limit_per_minute AS "sandboxRateLimit", l.rate_limit_per_minute AS "liveRateLimit",
  s.cutoff AS "sandboxCutoff", l.cutoff AS "liveCutoff",
  s.timezone AS "sandboxTimezone", l.timezone AS "liveTimezone",
  s.retry_days AS "sandboxRetryDays", l.retry_days AS "liveRetryDays",
  s.auto_receipts::text[] AS "sandboxReceipts", l.auto_receipts::text[] AS "liveReceipts",
  l.gateway_account AS "liveStripeAccount", l.live_gateway AS "liveGateway",
  ${lookOf('s', 'sl')} AS "sandboxLook", ${lookOf('l', 'll')} AS "liveLook"`

const TEAMS = `
  SELECT ${TEAM_COLUMNS}
  FROM team t
  LEFT JOIN account s ON s.team_id = t.id AND s.mode = 'sandbox'
  LEFT JOIN account l ON l.team_id = t.id AND l.mode = 'live'
  LEFT JOIN account_logo sl ON sl.account_id = s.id
  LEFT JOIN account_logo ll ON ll.account_id = l.id
  WHERE ($1::uuid IS NULL OR t.id = $1) AND ($2::text IS NULL OR t.name = $2)
  ORDER BY t.created_at, t.id`

/** The oldest first. */
export async function listTeams({ db }: QueryWorld): Promise<readonly TeamSummary[]> {
  return (await db.query(TEAMS, [null, null])) as readonly TeamSummary[]
}

/** The one team that an operator means by its id or its name. */
export async function teamNamed({ db }: QueryWorld, idOrName: string): Promise<TeamSummary> {
  const values = isId(idOrName) ? [idOrName, null] : [null, idOrName]
  const found = (await db.query(TEAMS, values)) as readonly TeamSummary[]
  const [team, another] = found
  if (team === undefined) throw new OperatorError(`there is no team ${idOrName}`)
  if (another !== undefined) {
    const ids = found.map(({ id }) => id).join(' or ')
    throw new OperatorError(`more than one team is named ${idOrName}: name it by its id, ${ids}`)
  }
  return team
}

export interface AccountName {
  readonly team: string
  readonly mode: Mode
}

const NAMES = `
  SELECT a.id, t.name AS team, a.mode FROM account a JOIN team t ON t.id = a.team_id
  WHERE a.id = ANY($1::uuid[])`

/** Lists show with each row which account it belongs to. */
export async function accountNames(
  { db }: QueryWorld,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AccountName>> {
  const rows = await db.query(NAMES, [[...new Set(ids)]])
  return new Map(rows.map(({ id, team, mode }) => [id, { team, mode }]))
}
