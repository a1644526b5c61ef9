// Teams as the command line shows them: the row, and the settings of each of its accounts. Read
// without Prisma, so that short commands answer soon.

import { isId } from '../core/id.ts'
import { DEFAULT_LANGUAGE } from '../core/language.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { Team } from '../generated/client.ts'
import type { QueryWorld } from '../world.ts'
import { MODES, type Mode } from './key.ts'
import { ACCOUNT_SETTINGS, type AccountSetting, TEAM_SETTINGS } from './team-settings.ts'

export interface TeamSummary extends Team {
  readonly sandboxAccountId: string | null
  readonly liveAccountId: string | null
  /** The looks of its accounts where they differ from the default, as `teams set` sets them. */
  readonly sandboxLook: readonly string[]
  readonly liveLook: readonly string[]
  /** The other settings of its accounts, as in `listedOf`; null if the team has no such account. */
  readonly [setting: `${Mode}_${string}`]: unknown
}

/** The settings of an account that stand for themselves in a list: all but its look. */
export function listedOf(mode: Mode): readonly AccountSetting[] {
  return ACCOUNT_SETTINGS.filter(
    ({ form, isLiveOnly }) => form !== 'look' && (isLiveOnly !== true || mode === 'live'),
  )
}

/** The alias of its account is the mode, that of the logo `live_logo`. */
function accountColumns(mode: Mode): string {
  const logo = `${mode}_logo`
  const look = ACCOUNT_SETTINGS.filter(({ form }) => form === 'look').map(
    ({ name, column }) => `'${name}=' || nullif(${mode}.${column}, '${DEFAULT_LANGUAGE}')`,
  )
  look.push(`'logo=' || upper(${logo}.kind) || ', ' || ${logo}.width || ' × ' || ${logo}.height`)
  return [
    `${mode}.id AS "${mode}AccountId"`,
    ...listedOf(mode).map(({ name, column }) => `to_jsonb(${mode}.${column}) AS ${mode}_${name}`),
    `array_remove(ARRAY[${look.join()}], NULL) AS "${mode}Look"`,
  ].join()
}

const TEAM_COLUMNS = `
  t.id, t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  ${TEAM_SETTINGS.map((one) => `t.${one.column} AS "${one.key}"`).join()},
  ${MODES.map(accountColumns).join()}`

const TEAMS = `
  SELECT ${TEAM_COLUMNS}
  FROM team t
  LEFT JOIN account sandbox ON sandbox.team_id = t.id AND sandbox.mode = 'sandbox'
  LEFT JOIN account live ON live.team_id = t.id AND live.mode = 'live'
  LEFT JOIN account_logo sandbox_logo ON sandbox_logo.account_id = sandbox.id
  LEFT JOIN account_logo live_logo ON live_logo.account_id = live.id
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
