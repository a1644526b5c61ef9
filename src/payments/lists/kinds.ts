// Reads from the tally which kinds of transactions of an account a list contains, and how many of
// each.

import type { TransactionStatus, TransactionType } from '../../core/transaction.ts'
import {
  dateText,
  type Edge,
  monthsAround,
  type Span,
  wholeDays,
  wholeMonths,
} from '../../core/whole-days.ts'
import type { Query } from '../../db/database.ts'
import type { Row } from '../../db/gathered.ts'
import { type Put, statementOf, termsOf } from '../../db/terms.ts'
import type { Transaction } from '../../generated/client.ts'
import {
  accountTerm,
  IS_DECIDED,
  IS_PENDING,
  type Listing,
  listedKindTerms,
  timeTerms,
} from './listing.ts'

export interface TransactionKind {
  readonly type: TransactionType
  readonly status: TransactionStatus
  readonly method: Transaction['method']
  readonly isManual: boolean
}

export interface CountedKind extends TransactionKind {
  readonly count: number
}

export const KIND = 't.type, t.status, t.method, t.is_manual'

/** By kind and time only; other filters are ignored. */
export async function kindsOf(query: Query, listing: Listing): Promise<readonly CountedKind[]> {
  const { from, before } = listing.filters.created
  if (from && before && from >= before) return []
  const { days, edges } = wholeDays(listing.filters.created)
  const around = edges.length > 0 ? monthsAround(listing.filters.created) : undefined
  const { text, values } = statementOf((put) => talliedText(listing, days, around, put))
  const kinds = (await query(text, values)).map(readKind)
  const decided = kinds.filter(isDecided)
  if (edges.length === 0 || decided.length === 0) return kinds
  const ragged = await countEdges(query, listing, decided, edges)
  return kinds.map((kind) => ({ ...kind, count: kind.count + (ragged.get(kind) ?? 0) }))
}

export function isDecided({ status }: TransactionKind): boolean {
  return status !== 'PENDING'
}

export function kindKeyOf({ type, status, method, isManual }: TransactionKind): string {
  return [type, status, method, isManual].join()
}

export function totalOf(kinds: readonly CountedKind[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0)
}

export function readKind(row: Row): CountedKind {
  const { type, status, method, is_manual: isManual, count } = row
  return { type, status, method, isManual, count }
}

/**
 * The conditions under which the decided transactions of a kind are a run of every sort's index.
 */
export function runTerms(kind: TransactionKind, put: Put): readonly string[] {
  return [
    `t.type = ${put(kind.type)}`,
    `t.status = ${put(kind.status)}`,
    `t.method = ${put(kind.method)}`,
    kind.isManual ? 't.is_manual' : 'NOT t.is_manual',
    IS_DECIDED,
  ]
}

const START_FILTERS = {
  from: (from: Date, put: Put) => `t.starts >= ${put(dateText(from))}`,
  before: (before: Date, put: Put) => `t.starts < ${put(dateText(before))}`,
}

export function startTerms(span: Span, put: Put): readonly string[] {
  return termsOf(START_FILTERS, span, put)
}

/**
 * A kind that is only known from the surrounding months counts zero, so that the edges can be
 * added.
 */
function talliedText(listing: Listing, days: Span, around: Span | undefined, put: Put): string {
  const where = (...terms: readonly string[]) =>
    [accountTerm(listing, put), ...terms, ...listedKindTerms(listing, put)].join(' AND ')
  const tallied = (count: 't.count' | '0', span: 'day' | 'month', within: Span) =>
    `SELECT ${KIND}, ${count} AS count FROM transaction_tally t
     WHERE ${where(`t.span = '${span}'`, ...startTerms(within, put))}`
  const { months, rest } = wholeMonths(days)
  const parts = [
    ...(months === undefined ? [] : [tallied('t.count', 'month', months)]),
    ...rest.map((some) => tallied('t.count', 'day', some)),
    ...(around === undefined ? [] : [tallied('0', 'month', around)]),
    `SELECT ${KIND}, 1 FROM transaction t WHERE ${where(IS_PENDING, ...timeTerms(listing, put))}`,
  ]
  return `SELECT ${KIND}, sum(t.count)::float8 AS count FROM (${parts.join(' UNION ALL ')}) t
    GROUP BY ${KIND}`
}

async function countEdges(
  query: Query,
  listing: Listing,
  kinds: readonly CountedKind[],
  edges: readonly Edge[],
): Promise<ReadonlyMap<CountedKind, number>> {
  const { text, values } = statementOf((put) => {
    const counts = kinds.flatMap((kind, i) =>
      edges.map(({ from, before, sign }) => {
        const time = [`t.created_at >= ${put(from)}`, `t.created_at < ${put(before)}`]
        const terms = [accountTerm(listing, put), ...runTerms(kind, put), ...time]
        return `SELECT ${i} AS kind, ${sign} * count(*) AS count FROM transaction t
          WHERE ${terms.join(' AND ')}`
      }),
    )
    return `SELECT kind, sum(count)::float8 AS count FROM (${counts.join(' UNION ALL ')}) c
      GROUP BY kind`
  })
  const counted = new Map((await query(text, values)).map((row) => [row.kind, row.count]))
  return new Map(kinds.map((kind, i) => [kind, counted.get(i) ?? 0]))
}
