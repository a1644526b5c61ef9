// A page of an account's batches, those that are not closed with what they would take as things
// stand. There is one a day, so that what is found by the account is soon sorted by anything.

import { dateText } from '../core/whole-days.ts'
import type { Row } from '../db/gathered.ts'
import type { Page, Paged } from '../db/page.ts'
import type { BatchStatus } from '../generated/client.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, readBatch } from './batch-row.ts'
import { batchView } from './batch-view.ts'
import type { FoundBatch } from './find-batch.ts'
import { liveSums, readSums, type Sums } from './live-sums.ts'

/** As what is shown is sorted: when it was frozen is not shown of what is not closed. */
const EXPRESSIONS = {
  business_date: 'business_date',
  cutoff_at: 'cutoff_at',
  created_at: 'created_at',
  closed_at: "CASE status WHEN 'closed' THEN closed_at END",
  count: 'count',
  sales: 'sales',
  refunds: 'refunds',
  net: 'sales - refunds',
} as const

export type BatchSort = keyof typeof EXPRESSIONS

export const BATCH_SORTS = Object.keys(EXPRESSIONS) as readonly BatchSort[]

export interface BatchFilters {
  readonly status: BatchStatus | undefined
  /** Business dates, YYYY-MM-DD, both included. */
  readonly first: string | undefined
  readonly last: string | undefined
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

type Live = ReadonlyMap<string, Sums>

const NOT_CLOSED = `
  SELECT business_date FROM batch WHERE account_id = $1 AND status <> 'closed'`

export async function listBatches(
  world: World,
  accountId: string,
  page: Page<BatchSort>,
  filters: BatchFilters,
): Promise<Paged<ReturnType<typeof batchView>>> {
  const { query } = world.db
  const live = await liveOf(world, accountId)
  const { count, rows } = batchStatements(accountId, live, page, filters)
  const [[counted], found] = await Promise.all([
    query(count.text, count.values),
    query(rows.text, rows.values),
  ])
  const batches = found.map(readFound)
  return { total: counted?.total, rows: batches.map(({ row, sums }) => batchView(row, sums)) }
}

/** All of them: an account has some hundreds a year. */
export async function allBatches(
  world: World,
  accountId: string,
  order: Pick<Page<BatchSort>, 'sort' | 'order'>,
  filters: BatchFilters,
): Promise<readonly FoundBatch[]> {
  const live = await liveOf(world, accountId)
  const whole = { ...order, number: 1, skip: 0, take: null }
  const { rows } = batchStatements(accountId, live, whole, filters)
  return (await world.db.query(rows.text, rows.values)).map(readFound)
}

/** Of every batch that is not closed; there are no more than a few. */
async function liveOf({ db }: World, accountId: string): Promise<Live> {
  const rows = await db.query(NOT_CLOSED, [accountId])
  const dates = rows.map((row) => dateText(row.business_date))
  return liveSums(db.query, accountId, dates)
}

/** What the list asks of the database. What has nothing to take is no batch. */
export function batchStatements(
  accountId: string,
  live: Live,
  page: Omit<Page<BatchSort>, 'take'> & { readonly take: number | null },
  { status, first, last }: BatchFilters,
): { readonly count: Statement; readonly rows: Statement } {
  const values: unknown[] = [accountId, ...liveColumns(live)]
  const term = (condition: string, value: unknown) =>
    value === undefined ? [] : [`${condition} $${values.push(value)}`]
  const terms = [
    'b.account_id = $1',
    "(b.status = 'closed' OR live.count > 0)",
    ...term('b.status =', status),
    ...term('b.business_date >=', first),
    ...term('b.business_date <=', last),
  ]
  const from = `
    FROM batch b
    LEFT JOIN unnest($2::date[], $3::integer[], $4::bigint[], $5::bigint[])
      AS live(business_date, count, sales, refunds)
      ON live.business_date = b.business_date AND b.status <> 'closed'
    WHERE ${terms.join(' AND ')}`
  const count = { text: `SELECT count(*)::integer AS total ${from}`, values: [...values] }
  const text = `
    SELECT * FROM (
      SELECT ${BATCH_COLUMNS}, ${SHOWN_COLUMNS} ${from}
    ) shown
    ORDER BY ${orderOf(page)}
    LIMIT $${values.push(page.take)} OFFSET $${values.push(page.skip)}`
  return { count, rows: { text, values } }
}

/** Under names of their own beside those of the row. */
const SHOWN_COLUMNS = `
  b.id, b.business_date, b.cutoff_at, b.created_at, b.closed_at, b.status,
  coalesce(live.count, b.count) AS count, coalesce(live.sales, b.sales) AS sales,
  coalesce(live.refunds, b.refunds) AS refunds`

function liveColumns(live: Live): readonly unknown[] {
  const sums = [...live.values()]
  return [
    [...live.keys()],
    sums.map(({ count }) => count),
    sums.map(({ sales }) => sales),
    sums.map(({ refunds }) => refunds),
  ]
}

function orderOf({ sort, order }: Pick<Page<BatchSort>, 'sort' | 'order'>): string {
  return `${EXPRESSIONS[sort]} ${order} NULLS LAST, id ${order}`
}

function readFound(row: Row): FoundBatch {
  return { row: readBatch(row), sums: readSums(row) }
}
