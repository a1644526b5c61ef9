// A database of a test file's own, filled once before its tests, and the plans of its statements.

import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { KEYED_PLANS, type Query } from '../../src/db/database.ts'
import { type DeclaredList, listStatements } from '../../src/db/declared-list.ts'
import type { Filters, FilterValues } from '../../src/db/terms.ts'
import { nodesOf, type PlanNode } from './explained.ts'
import { type FreshDatabase, freshDatabase } from './postgres.ts'

export interface FilledDatabase {
  /** Known once the tests begin, as is its client. */
  readonly url: string
  readonly client: pg.Client
  readonly query: Query
  /** The nodes of the plan, from the top. The statement is not run. */
  planOf(text: string, values?: readonly unknown[]): Promise<readonly PlanNode[]>
}

/** The settings with which the service runs its hot statements. */
export const KEYED_OPTIONS = Object.entries(KEYED_PLANS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/** The largest takes minutes on a busy machine. */
const FILL_MS = 600_000

/** `fill` is statements, separated by semicolons, or fills it itself. */
export function filledDatabase(
  fill: string | ((client: pg.Client) => Promise<unknown>),
  options = '-c TimeZone=UTC',
): FilledDatabase {
  let database: FreshDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await freshDatabase()
    client = new pg.Client({ connectionString: database.url, options })
    await client.connect()
    if (typeof fill === 'function') await fill(client)
    // VACUUM cannot run together with others.
    else for (const statement of fill.split(';')) await client.query(statement)
  }, FILL_MS)
  afterAll(async () => {
    await client.end()
    await database.drop()
  })
  const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows
  return {
    get url() {
      return database.url
    },
    get client() {
      return client
    },
    query,
    async planOf(text, values) {
      const [row] = await query(`EXPLAIN (FORMAT JSON) ${text}`, values)
      return nodesOf(row?.['QUERY PLAN'][0].Plan)
    },
  }
}

/** The plans of a list: of its newest rows, if no other order is asked for. */
export function plansOfList<F extends Filters, Sort extends string, T, W>(
  { planOf }: FilledDatabase,
  list: DeclaredList<F, Sort, T, W>,
  accountId: string,
) {
  return (
    which: 'page' | 'count',
    asked: FilterValues<F>,
    {
      sort = 'created_at' as Sort,
      order = 'desc',
    }: { readonly sort?: Sort; readonly order?: 'asc' | 'desc' } = {},
  ) => {
    const page = { skip: 0, take: 50, sort, order }
    const { [which]: text, values } = listStatements(list, accountId, page, asked)
    return planOf(text, values)
  }
}
