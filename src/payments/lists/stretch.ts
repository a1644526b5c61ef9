// A stretch of a segment, read in the order of indexes. A run is what one index has together in the
// order that is asked for: each is read no further than the stretch could need it, and all of them
// are merged. What is too rare to be come upon like that is found and sorted, as one more run.

import { type Put, type Statement, statementOf } from '../../db/terms.ts'
import { isDecided, runTerms } from './kinds.ts'
import { accountTerm, hiddenFromPlanner, type Listing, timeTerms } from './listing.ts'
import { narrowingsOf, wayOf } from './narrowings.ts'
import type { ListedKind, Segment } from './segments.ts'
import { decidedText, pendingTerms } from './sources.ts'

/** Where a row stands. */
export interface RowPosition {
  readonly id: string
  /** What it is sorted by, as text; null where that is unknown. */
  readonly place: string | null
}

export interface Stretch {
  readonly isDown: boolean
  readonly skip: number
  readonly take: number
  /** It begins after this one. */
  readonly after?: RowPosition | undefined
  /** Conditions that all of it is known to meet. */
  readonly within?: ((put: Put) => readonly string[]) | undefined
}

/** Answers places. */
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

/** Each a SELECT of ids and of values to sort by. */
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
