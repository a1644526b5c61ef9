// Reads a part of a segment in the order of indexes. A run is a sequence that one index has in the
// requested order. Each run is read no further than needed, and all runs are merged. Matches that
// are too rare for that are found and sorted, and form one more run.

import { type Put, type Statement, statementOf } from '../../db/terms.ts'
import { isDecided, runTerms } from './kinds.ts'
import { accountTerm, hiddenFromPlanner, type Listing, timeTerms } from './listing.ts'
import { narrowingsOf, wayOf } from './narrowings.ts'
import type { ListedKind, Segment } from './segments.ts'
import { decidedText, pendingTerms } from './sources.ts'

/** The position of a row in the order. */
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
    const runs = runsOf(listing, segment, bounds, put).map(
      (run) => `(SELECT * FROM (${run}) t ORDER BY ${order} LIMIT ${put(skip + take)})`,
    )
    return `SELECT id, value::text AS place FROM (${runs.join(' UNION ALL ')}) run
      ORDER BY ${order} LIMIT ${put(take)} OFFSET ${put(skip)}`
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

/** Each run is a SELECT of ids and sort values. */
function runsOf(
  listing: Listing,
  segment: Segment,
  bounds: readonly string[],
  put: Put,
): readonly string[] {
  const decided = segment.kinds.filter(isDecided)
  // The index of an owner has its transactions of all kinds together, by created_at.
  const isOwned = wayOf(listing) === 'owner' && segment.column === 'created_at'
  const isRun = ({ isDense }: ListedKind) => isDense && !isOwned
  const found = decided.filter((kind) => !isRun(kind))
  const value = `t.${segment.column} AS value`
  const where = (terms: readonly string[]) =>
    `SELECT t.id, ${value} FROM transaction t WHERE ${[...terms, ...bounds].join(' AND ')}`
  return [
    ...denseRuns(listing, segment, decided.filter(isRun), put).map(where),
    ...(found.length > 0 ? [decidedText(listing, found, value, bounds, put)] : []),
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
