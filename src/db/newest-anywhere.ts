// Reads the newest rows of all accounts for operators, although every index begins with the
// account. The newest n rows are in the n runs of the index with the newest first rows. So each run
// is asked for its newest row, which is one look-up, and only those few runs are read. The oldest
// rows are found in the same way from the other end.

import { BEFORE_ALL_IDS, firstIdAt } from '../core/id.ts'
import { after, DAY } from '../core/time-units.ts'
import type { Span } from '../core/whole-days.ts'
import type { DeclaredList, HasDatabase } from './declared-list.ts'
import {
  allOf,
  type Filters,
  type FilterValues,
  type Put,
  type Statement,
  statementOf,
  termsOf,
} from './terms.ts'

/** Undefined for any value. */
export interface NewestFilter {
  readonly accountIds: readonly string[] | undefined
  /** Only rows that come after the row with this id, in the order that is asked for. */
  readonly before: string | undefined
  /** Only the row with this id, and newer ones. */
  readonly since?: string | undefined
  readonly most: number
  /** The newest first, by default. */
  readonly direction?: Direction | undefined
  /** Only rows with a `created_at` in this span, which is the account's own time. */
  readonly created?: Span | undefined
}

export type Direction = 'asc' | 'desc'

export interface RowOwner {
  readonly teamName: string
  readonly mode: 'live' | 'sandbox'
}

interface Runs {
  readonly table: string
  readonly alias: string
  /** A SELECT with an `account_id`. The terms call it `run`. */
  readonly runs: string
  readonly terms: readonly string[]
  /** The parameter with the number of rows. */
  readonly most: string
  /** The columns of the order, if ids do not sort by time. */
  readonly order?: readonly string[]
  readonly direction?: Direction | undefined
}

/**
 * Returns the run's columns and those of the order: `id`, unless it says otherwise. An index must
 * contain each run in that order.
 */
export function newestOfRuns({
  table,
  alias,
  runs,
  terms,
  most,
  order = ['id'],
  direction = 'desc',
}: Runs): string {
  const columns = order.map((column) => `${alias}.${column}`)
  const newestFirst = columns.map((column) => `${column} ${direction}`).join(', ')
  const newest = (limit: string) => `
    SELECT ${columns.join(', ')} FROM ${table} ${alias}
    WHERE ${allOf([`${alias}.account_id = run.account_id`, ...terms])}
    ORDER BY ${newestFirst} LIMIT ${limit}`
  return `
    SELECT run.*, ${columns.join(', ')}
    FROM (
      SELECT run.* FROM (${runs}) run CROSS JOIN LATERAL (${newest('1')}) ${alias}
      ORDER BY ${newestFirst} LIMIT ${most}
    ) run
    CROSS JOIN LATERAL (${newest(most)}) ${alias}
    ORDER BY ${newestFirst} LIMIT ${most}`
}

const ACCOUNT_FILTERS = { accountIds: 'a.id = ANY($value::uuid[])' }

/** Filters are conditions on the rows that the primary key (account and id) finds. */
export function newestStatement<F extends Filters, Sort extends string, T, W>(
  { table, alias, always, filters, columns, joins = '' }: DeclaredList<F, Sort, T, W>,
  { accountIds, before, since, most, direction = 'desc', created }: NewestFilter,
  asked: FilterValues<F>,
): Statement {
  return statementOf((put) => {
    const accounts = allOf(termsOf(ACCOUNT_FILTERS, { accountIds }, put))
    const newest = newestOfRuns({
      table,
      alias,
      runs: `SELECT a.id AS account_id, a.mode FROM account a WHERE ${accounts}`,
      terms: [
        ...(typeof always === 'string' ? [always] : []),
        ...(typeof always === 'function' ? [always(asked)] : []),
        ...termsOf(filters, asked, put),
        ...ageTermsOf(alias, { before, since, direction }, put),
        ...createdTermsOf(alias, created, put),
      ],
      most: put(most),
      direction,
    })
    return `
      SELECT ${columns}, team.name AS team_name, account.mode AS account_mode
      FROM (${newest}) newest
      CROSS JOIN LATERAL (
        SELECT * FROM ${table} WHERE account_id = newest.account_id AND id = newest.id OFFSET 0
      ) ${alias} ${joins}
      JOIN account ON account.id = newest.account_id
      JOIN team ON team.id = account.team_id
      ORDER BY newest.id ${direction}`
  })
}

/** The newest first, unless the filter says otherwise. */
export async function readNewest<F extends Filters, Sort extends string, T, W extends HasDatabase>(
  world: W,
  list: DeclaredList<F, Sort, T, W>,
  filter: NewestFilter,
  asked: FilterValues<F>,
): Promise<readonly (T & RowOwner)[]> {
  const { text, values } = newestStatement(list, filter, asked)
  const rows = await world.db.query(text, values)
  return rows.map((row) => ({
    ...list.view(row, world),
    teamName: row.team_name,
    mode: row.account_mode,
  }))
}

function ageTermsOf(
  alias: string,
  { before, since, direction = 'desc' }: Pick<NewestFilter, 'before' | 'since' | 'direction'>,
  put: Put,
): readonly string[] {
  const isAfter = { desc: '<', asc: '>' }[direction]
  const filters = { before: `${alias}.id ${isAfter} $value`, since: `${alias}.id >= $value` }
  return termsOf(filters, { before, since }, put)
}

/** Between an id and the `created_at` of its row, in an account that lives by the real time. */
const ID_IS_WITHIN = DAY

/**
 * The ids of a live account contain the time, so its index is read within them alone. A sandbox
 * account may have had a clock.
 */
function createdTermsOf(alias: string, span: Span | undefined, put: Put): readonly string[] {
  const ofLive = (id: string, other: string) =>
    `CASE run.mode WHEN 'live' THEN ${put(id)}::uuid ELSE '${other}'::uuid END`
  const from = (at: Date) => {
    const id = firstIdAt(after(at, -ID_IS_WITHIN))
    return `${alias}.created_at >= ${put(at)} AND ${alias}.id >= ${ofLive(id, BEFORE_ALL_IDS)}`
  }
  const end = (at: Date) => {
    const id = firstIdAt(after(at, ID_IS_WITHIN))
    return `${alias}.created_at < ${put(at)} AND ${alias}.id <= ${ofLive(id, LAST_ID)}`
  }
  return termsOf({ from, end }, { from: span?.from, end: span?.before }, put)
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Rows that one reading looks at, over all accounts together. */
const LOOKED_AT = 20_000

/** Rows of each account at least, so that a reading makes progress with any number of accounts. */
const LOOKED_AT_OF_EACH = 200

export interface NewestWithin<T> {
  readonly rows: readonly (T & RowOwner)[]
  /** The id down to which it looked. Undefined if there are no older rows. */
  readonly lookedBackTo: string | undefined
}

/**
 * The same for filters that no index knows. However few rows match, a reading looks at a limited
 * number of them, and the next one continues where it ended.
 */
export async function readNewestWithin<
  F extends Filters,
  Sort extends string,
  T,
  W extends HasDatabase,
>(
  world: W,
  list: DeclaredList<F, Sort, T, W>,
  filter: NewestFilter,
  asked: FilterValues<F>,
): Promise<NewestWithin<T>> {
  const { text, values } = endOfLook(list, filter)
  const [end] = await world.db.query(text, values)
  const lookedBackTo: string | undefined = end?.id
  const rows = await readNewest(world, list, { ...filter, since: lookedBackTo }, asked)
  return { rows, lookedBackTo }
}

/** Every account has been looked at down to the newest of the ids at which one of them ends. */
export function endOfLook(
  { table, alias }: { readonly table: string; readonly alias: string },
  { accountIds, before }: Pick<NewestFilter, 'accountIds' | 'before'>,
): Statement {
  return statementOf((put) => {
    const accounts = allOf(termsOf(ACCOUNT_FILTERS, { accountIds }, put))
    const terms = [`${alias}.account_id = a.id`, ...ageTermsOf(alias, { before }, put)]
    return `
      SELECT last.id FROM account a CROSS JOIN LATERAL (
        SELECT ${alias}.id FROM ${table} ${alias} WHERE ${allOf(terms)}
        ORDER BY ${alias}.id DESC
        OFFSET (
          SELECT greatest(${LOOKED_AT_OF_EACH}, ${LOOKED_AT} / greatest(1, count(*)))
          FROM account a WHERE ${accounts}
        )
        LIMIT 1
      ) last
      WHERE ${accounts} ORDER BY last.id DESC LIMIT 1`
  })
}
