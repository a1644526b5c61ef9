// Lists of an account's rows. A resource declares its list; the engine here turns a query into one
// statement that counts the rows and one that reads a page of them.

import { chunksOf } from '../core/chunks.ts'
import { mapInTurns } from '../core/next-turn.ts'
import type { Query } from './database.ts'
import type { Row } from './gathered.ts'
import { allOf, type Filters, type FilterValues, type Put, termsOf } from './terms.ts'

/** It must be the expression of an index, letter for letter, or all rows are sorted each time. */
type SortBy = string | { readonly nullable: string }

export interface DeclaredList<F extends Filters, Sort extends string, T, W> {
  readonly table: string
  /** Every expression of the declaration calls the table so. */
  readonly alias: string
  /** It is joined before rows are counted, for filters and sorts that need more than the table. */
  readonly beside?: (put: Put) => string
  /** Every row of the list meets this condition, in addition to the filters. */
  readonly always?: string | ((asked: FilterValues<F>) => string)
  readonly filters: F
  readonly sorts: Readonly<Record<Sort, SortBy>>
  readonly columns: string
  /** It is joined to the rows of the page alone. */
  readonly joins?: string
  readonly view: (row: Row, world: W) => T
}

/** The account in the statements of `listStatements`, for a filter that reads other tables. */
export const LISTED_ACCOUNT = '$1'

/** A `take` of null takes all rows. */
type Part<Sort extends string> = Pick<Page<Sort>, 'sort' | 'order' | 'skip'> & {
  readonly take: number | null
}

/** Both statements take the same values. */
interface ListStatements {
  readonly values: readonly unknown[]
  readonly count: string
  readonly page: string
}

export interface HasDatabase {
  readonly db: { readonly query: Query }
}

/** It returns the declaration as it is: the compiler infers the types from the call. */
export function declareList<const F extends Filters, Sort extends string, T, W = unknown>(
  list: DeclaredList<F, Sort, T, W>,
): DeclaredList<F, Sort, T, W> {
  return list
}

export async function readPage<F extends Filters, Sort extends string, T, W extends HasDatabase>(
  world: W,
  list: DeclaredList<F, Sort, T, W>,
  accountId: string,
  page: Page<Sort>,
  asked: FilterValues<F>,
): Promise<Paged<T>> {
  const statements = listStatements(list, accountId, page, asked)
  const [[counted], rows] = await Promise.all([
    world.db.query(statements.count, statements.values),
    world.db.query(statements.page, statements.values),
  ])
  return {
    total: Number(counted?.total),
    rows: await mapInTurns(rows, (row) => list.view(row, world)),
  }
}

/** Large enough to be worth a statement, and other requests do not wait for so few. */
const ROWS_A_READ = 250

/**
 * All rows, some at a time: those that the list has at the first read, in the order of that moment,
 * but for rows of one part that change meanwhile. Only their ids are kept.
 */
export async function* readAll<F extends Filters, Sort extends string, T, W extends HasDatabase>(
  world: W,
  list: DeclaredList<F, Sort, T, W>,
  accountId: string,
  order: Pick<Page<Sort>, 'sort' | 'order'>,
  asked: FilterValues<F>,
): AsyncGenerator<readonly T[]> {
  const { joins: _, ...bare } = list
  const ofIds = { ...bare, columns: `${list.alias}.id`, view: ({ id }: Row): string => id }
  const part = { ...order, skip: 0, take: null }
  const all = await readPart(world, ofIds, accountId, part, asked)
  const named = { ...list, always: 'true', filters: { ids: `${list.alias}.id = ANY($value)` } }
  for (const ids of chunksOf(all, ROWS_A_READ)) {
    yield await readPart(world, named, accountId, part, { ids })
  }
}

/** A part of the list, without the number of all rows. */
export async function readPart<F extends Filters, Sort extends string, T, W extends HasDatabase>(
  world: W,
  list: DeclaredList<F, Sort, T, W>,
  accountId: string,
  part: Part<Sort>,
  asked: FilterValues<F>,
): Promise<readonly T[]> {
  const { page, values } = listStatements(list, accountId, part, asked)
  return mapInTurns(await world.db.query(page, values), (row) => list.view(row, world))
}

export function listStatements<F extends Filters, Sort extends string, T, W>(
  list: DeclaredList<F, Sort, T, W>,
  accountId: string,
  { sort, order, skip, take }: Part<Sort>,
  asked: FilterValues<F>,
): ListStatements {
  const { table, alias, beside, always = 'true', filters, columns, joins } = list
  const values: unknown[] = []
  const put: Put = (value) => `$${values.push(value)}`
  const where = [
    `${alias}.account_id = ${put(accountId)}`,
    typeof always === 'string' ? always : always(asked),
    ...termsOf(filters, asked, put),
  ]
  const from = `FROM ${table} ${alias} ${beside?.(put) ?? ''} WHERE ${allOf(where)}`
  const orderBy = `ORDER BY ${orderOf(list.sorts[sort], alias, order)}`
  // These are the service's own numbers. As parameters they would be values that the count lacks.
  const part = `${from} ${orderBy} LIMIT ${take} OFFSET ${skip}`
  const isFar = skip > 0 && beside === undefined
  const rows = isFar ? farRows(table, `SELECT ${alias}.id ${part}`) : `SELECT ${alias}.* ${part}`
  return {
    values,
    count: `SELECT count(*)::integer AS total ${from}`,
    page:
      isFar || joins !== undefined
        ? `SELECT ${columns} FROM (${rows}) ${alias} ${joins ?? ''} ${orderBy}`
        : `SELECT ${columns} ${part}`,
  }
}

/** Of the rows before a page only the index is read, where it has all that the list asks for. */
function farRows(table: string, ids: string): string {
  return `SELECT * FROM ${table} WHERE account_id = ${LISTED_ACCOUNT} AND id = ANY (ARRAY(${ids}))`
}

/** NULLS LAST on a column that is never null would keep PostgreSQL from using its index. */
function orderOf(by: SortBy, alias: string, order: 'asc' | 'desc'): string {
  const first = typeof by === 'string' ? `${by} ${order}` : `${by.nullable} ${order} NULLS LAST`
  return `${first}, ${alias}.id ${order}`
}

/** A requested page of a list. */
export interface Page<Sort extends string> {
  readonly number: number
  readonly skip: number
  readonly take: number
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
}

export interface Paged<T> {
  readonly total: number
  readonly rows: readonly T[]
}
