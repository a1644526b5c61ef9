// Reads a list of any length page by page, from the nearer end.

import type { Query } from '../../db/database.ts'
import { jumpToDay } from './day-jump.ts'
import { type CountedKind, isDecided, kindKeyOf, kindsOf, totalOf } from './kinds.ts'
import type { Listing } from './listing.ts'
import { leadingFilterOf } from './narrowings.ts'
import { type ListedKind, type Segment, segmentsOf } from './segments.ts'
import { countMatches, FEW } from './sources.ts'
import { countStatement, type RowPosition, type Stretch, stretchStatement } from './stretch.ts'

export interface Walk {
  readonly listing: Listing
  readonly total: number
  readonly segments: readonly Segment[]
}

/** If one in this many rows of a kind matches, a page is found after reading some thousand rows. */
const ONE_OF = 50

/** The database plans each round anew, which takes longer than finding so many rows. */
const ROUND = 2_000

const DECIDED = ['SUCCESS', 'FAILED'] as const

/**
 * The filters decide what is counted: nothing if only kind and time are filtered, because the tally
 * knows; otherwise the matches of each kind, which also shows how to read it.
 */
export async function openWalk(query: Query, listing: Listing): Promise<Walk> {
  const kinds = await listedKinds(query, listing)
  const segments = segmentsOf(listing, [...kinds, ...comingKinds(listing, kinds)])
  return { listing, total: totalOf(kinds), segments }
}

/** The ids of a page, in order. */
export async function idsAt(
  query: Query,
  { listing, total, segments }: Walk,
  skip: number,
  take: number,
): Promise<readonly string[]> {
  const wanted = Math.min(take, total - skip)
  if (wanted <= 0) return []
  const isDown = listing.order === 'desc'
  const left = total - skip - wanted
  if (skip <= left) {
    // The statement is the same for each short list, however many it has.
    const found = await collect(query, listing, segments, { isDown, skip, take }, wanted)
    return found.slice(0, wanted)
  }
  const backwards = { isDown: !isDown, skip: left, take: wanted }
  const found = await collect(query, listing, segments.toReversed(), backwards)
  return found.toReversed()
}

/**
 * The ids of the whole list, in rounds, each from the end of the last one. Neither a connection nor
 * a database transaction is held in between. Each transaction is found; those that are added
 * meanwhile may be found or not. By `updated_at`, one that changes meanwhile may be found twice.
 */
export async function* idsInRounds(
  query: Query,
  listing: Listing,
  round = ROUND,
): AsyncGenerator<readonly string[]> {
  const { segments } = await openWalk(query, listing)
  const readWhole = listing.sort === 'status' ? byStatus : inRounds
  let newest: RowPosition | undefined
  for await (const found of readWhole(query, listing, segments, round)) {
    newest ??= found[0]
    if (found.length > 0) yield found.map(({ id }) => id)
  }
  // A change has moved a transaction to the beginning of this list, which was read already.
  if (listing.sort !== 'updated_at' || listing.order === 'asc' || newest === undefined) return
  const upwards = { ...listing, order: 'asc' } as const
  for await (const found of inRounds(query, upwards, segments, round, newest))
    yield found.map(({ id }) => id)
}

/**
 * A payment that is decided meanwhile moves to another segment, perhaps to one that was read
 * already. So the PENDING ones are found first, and each is given where it is met first.
 */
async function* byStatus(
  query: Query,
  listing: Listing,
  segments: readonly Segment[],
  round: number,
): AsyncGenerator<readonly RowPosition[]> {
  const isPending = ({ kinds }: Segment) => kinds.some((kind) => !isDecided(kind))
  const pending = new Map<string, RowPosition>()
  for await (const found of inRounds(query, listing, segments.filter(isPending), round))
    for (const one of found) pending.set(one.id, one)
  const left = new Map(pending)
  for (const segment of segments) {
    if (isPending(segment)) {
      yield [...left.values()]
      left.clear()
      continue
    }
    for await (const found of inRounds(query, listing, [segment], round))
      yield found.filter(({ id }) => left.delete(id) || !pending.has(id))
  }
}

async function* inRounds(
  query: Query,
  listing: Listing,
  segments: readonly Segment[],
  round: number,
  start?: RowPosition,
): AsyncGenerator<readonly RowPosition[]> {
  const isDown = listing.order === 'desc'
  for (const segment of segments) {
    let [after, isLast] = [start, false]
    while (!isLast) {
      const found = await read(query, listing, segment, { isDown, skip: 0, take: round, after })
      yield found
      after = found.at(-1)
      // Changes of a busy account could keep the list of the latest ones from ever being empty.
      isLast = found.length < round
    }
  }
}

async function listedKinds(query: Query, listing: Listing): Promise<readonly ListedKind[]> {
  const leading = leadingFilterOf(listing)
  if (leading === undefined)
    return (await kindsOf(query, listing)).map((kind) => withDensity(kind, true))
  const known = leading === 'value' ? await kindsOf(query, listing) : []
  if (leading === 'value' && totalOf(known) === 0) return []
  const matched = await countMatches(query, listing, known)
  if (totalOf(matched) <= FEW) return matched.map((kind) => withDensity(kind, false))
  const all = leading === 'value' ? known : await kindsOf(query, listing)
  const counts = new Map(all.map((kind) => [kindKeyOf(kind), kind.count]))
  return matched.map((kind) =>
    withDensity(kind, kind.count * ONE_OF >= (counts.get(kindKeyOf(kind)) ?? 0)),
  )
}

function withDensity(kind: CountedKind, isDense: boolean): ListedKind {
  return { ...kind, isDense }
}

/**
 * A PENDING transaction may be decided before its page is read, as the first of its kind. A list
 * that is limited to a status has lost it then.
 */
function comingKinds({ filters }: Listing, kinds: readonly ListedKind[]): readonly ListedKind[] {
  if (filters.status !== undefined) return []
  const known = new Set(kinds.map(kindKeyOf))
  return kinds
    .filter((kind) => !isDecided(kind))
    .flatMap((kind) => DECIDED.map((status) => ({ ...kind, status, count: 0 })))
    .filter((kind) => !known.has(kindKeyOf(kind)))
}

async function collect(
  query: Query,
  listing: Listing,
  segments: readonly Segment[],
  { isDown, skip, take }: Stretch,
  wanted = take,
): Promise<readonly string[]> {
  const ids: string[] = []
  let toSkip = skip
  for (const segment of segments) {
    if (ids.length >= wanted) break
    if (segment.count !== undefined && segment.count <= toSkip) {
      toSkip -= segment.count
      continue
    }
    const stretch = { isDown, skip: toSkip, take: take - ids.length }
    const found = await readFar(query, listing, segment, stretch)
    ids.push(...found.map(({ id }) => id))
    const isReached = found.length > 0 || toSkip === 0
    toSkip -= isReached ? toSkip : await countOf(query, listing, segment)
  }
  return ids
}

async function readFar(query: Query, listing: Listing, segment: Segment, stretch: Stretch) {
  const canJump = segment.column === 'created_at' && leadingFilterOf(listing) === undefined
  const jump = canJump ? await jumpToDay(query, listing, stretch) : undefined
  return read(query, listing, segment, { ...stretch, ...jump })
}

async function read(
  query: Query,
  listing: Listing,
  segment: Segment,
  stretch: Stretch,
): Promise<readonly RowPosition[]> {
  if (segment.kinds.length === 0) return []
  const { text, values } = stretchStatement(listing, segment, stretch)
  const rows = await query(text, values)
  return rows.map(({ id, place }) => ({ id, place }))
}

async function countOf(query: Query, listing: Listing, segment: Segment): Promise<number> {
  if (segment.kinds.length === 0) return 0
  const { text, values } = countStatement(listing, segment)
  const [counted] = await query(text, values)
  return counted?.count ?? 0
}
