// Reads a part of a segment in the order of indexes. A run is a sequence that one index has in the
// requested order. Each run is read no further than needed, and all runs are merged. Matches that
// are too rare for that are found and sorted, and form one more run.
//
// Planning a run takes longer than reading a page of it. So near the beginning of a list that only
// kind and time limit, the runs of all kinds are one part of the statement: a page of each.

import { type Put, type Statement, statementOf } from '../../db/terms.ts'
import { isDecided, runTerms } from './kinds.ts'
import { accountTerm, hiddenFromPlanner, IS_DECIDED, type Listing, timeTerms } from './listing.ts'
import { leadingFilterOf, narrowingsOf } from './narrowings.ts'
import type { ListedKind, Segment } from './segments.ts'
import { decidedText, pendingTerms } from './sources.ts'

export interface RowPosition {
  readonly id: string
  /** The value of the sort column as text. Null if it has none. */
  readonly place: string | null
}

export interface Stretch {
  readonly isDown: boolean
  readonly skip: number
  readonly take: number
  /** The part begins after this position. */
  readonly after?: RowPosition | undefined
  /** Conditions that all of its rows are known to meet. */
  readonly within?: ((put: Put) => readonly string[]) | undefined
}

/** The most rows of a run that are read rather than planned for. */
const NEAR = 200

/** Returns positions. */
export function stretchStatement(listing: Listing, segment: Segment, stretch: Stretch): Statement {
  const { isDown, skip, take, after, within } = stretch
  const order = orderOf(segment, isDown)
  return statementOf((put) => {
    const bounds = [
      ...knownTerms(segment),
      ...(within?.(put) ?? []),
      ...(after === undefined ? [] : [isBeyond(segment, after, isDown, put)]),
    ]
    const isNear = skip + take <= NEAR && leadingFilterOf(listing) === undefined
    // The service's own numbers: the plan of a parameter would be made for any number of rows.
    const page = `ORDER BY ${order} LIMIT ${skip + take}`
    const runs = runsOf(listing, segment, bounds, put, isNear ? page : undefined).map(
      (run) => `(SELECT * FROM (${run}) t ${page})`,
    )
    return `SELECT id, value::text AS place FROM (${runs.join(' UNION ALL ')}) run
      ORDER BY ${order} LIMIT ${take} OFFSET ${skip}`
  })
}

export function countStatement(listing: Listing, segment: Segment): Statement {
  return statementOf((put) => {
    const runs = runsOf(listing, segment, knownTerms(segment), put).map(
      (run) => `SELECT count(*) AS count FROM (${run}) t`,
    )
    return `SELECT sum(count)::float8 AS count FROM (${runs.join(' UNION ALL ')}) run`
  })
}

/** Each run is a SELECT of ids and sort values. With a page, one has that page of each kind. */
function runsOf(
  listing: Listing,
  segment: Segment,
  bounds: readonly string[],
  put: Put,
  page?: string,
): readonly string[] {
  const decided = segment.kinds.filter(isDecided)
  // The index of an owner has its transactions of all kinds together, by created_at.
  const isOwned = leadingFilterOf(listing) === 'owner' && segment.column === 'created_at'
  const isRun = ({ isDense }: ListedKind) => isDense && !isOwned
  const found = decided.filter((kind) => !isRun(kind))
  const value = `t.${segment.column} AS value`
  const where = (terms: readonly string[]) =>
    `SELECT t.id, ${value} FROM transaction t WHERE ${[...terms, ...bounds].join(' AND ')}`
  const dense = decided.filter(isRun)
  return [
    ...(page === undefined || dense.length < 2
      ? denseRuns(listing, segment, dense, put).map(where)
      : [pagesOf(dense, where(anyRun(listing, put)), page, put)]),
    ...(found.length > 0
      ? [decidedText(listing, isOwned ? undefined : found, value, bounds, put)]
      : []),
    ...(decided.length < segment.kinds.length ? [where(pendingTerms(listing, put))] : []),
  ]
}

function denseRuns(
  listing: Listing,
  segment: Segment,
  kinds: readonly ListedKind[],
  put: Put,
): readonly (readonly string[])[] {
  return kinds.map((kind) => [
    accountTerm(listing, put),
    ...runTerms(kind, put),
    ...timeTerms(listing, put),
    ...narrowingsOf(listing, put).flatMap(({ column, term }) =>
      column === segment.column ? [term] : hiddenFromPlanner([term]),
    ),
  ])
}

/** The conditions of any kind's run in `pagesOf`. */
function anyRun(listing: Listing, put: Put): readonly string[] {
  return [
    accountTerm(listing, put),
    't.type = kind.type AND t.status = kind.status AND t.method = kind.method',
    't.is_manual = kind.is_manual',
    IS_DECIDED,
    ...timeTerms(listing, put),
  ]
}

function pagesOf(kinds: readonly ListedKind[], run: string, page: string, put: Put): string {
  const arrays = [
    `${put(kinds.map(({ type }) => type))}::transaction_type[]`,
    `${put(kinds.map(({ status }) => status))}::transaction_status[]`,
    `${put(kinds.map(({ method }) => method))}::method[]`,
    `${put(kinds.map(({ isManual }) => isManual))}::boolean[]`,
  ]
  return `SELECT run.* FROM unnest(${arrays.join()}) AS kind(type, status, method, is_manual)
    CROSS JOIN LATERAL (SELECT * FROM (${run}) t ${page}) run`
}

function orderOf({ column }: Segment, isDown: boolean): string {
  const direction = isDown ? 'DESC' : 'ASC'
  return (column === 'id' ? ['id'] : ['value', 'id']).map((one) => `${one} ${direction}`).join(', ')
}

function knownTerms({ column, only }: Segment): readonly string[] {
  return only === undefined ? [] : [`t.${column} IS ${only === 'known' ? 'NOT NULL' : 'NULL'}`]
}

function isBeyond(segment: Segment, { id, place }: RowPosition, isDown: boolean, put: Put): string {
  const sign = isDown ? '<' : '>'
  if (segment.column === 'id' || place === null) return `t.id ${sign} ${put(id)}`
  return `(t.${segment.column}, t.id) ${sign} (${put(place)}, ${put(id)})`
}
