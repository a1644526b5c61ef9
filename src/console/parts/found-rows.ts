// The rows that a search found, as a list shows a part of them, and the way to the parts beside it.

import { isId, msOfId } from '../../core/id.ts'
import { secondText } from '../../core/instant.ts'
import { type QueryParams, queryWith } from '../query.ts'
import type { PagePart } from './pager.tsx'

export const ROWS_A_PAGE = 50

/** What a list page shows, and its file holds. */
export interface FoundRows<Row> extends PagePart {
  readonly rows: readonly Row[]
  /** Faults that only the search itself can find, by filter. */
  readonly faults?: Readonly<Record<string, string>>
  readonly note?: string | undefined
  /** The columns by which the rows can be sorted; the first one is that of the default order. */
  readonly sorts?: readonly string[]
  /** Reads all matching rows, some at a time, where that costs less than page after page. */
  readonly every?: () => AsyncGenerator<readonly Row[]>
}

/** The id after which the asked page begins. */
export function cursorOf({ before = '' }: QueryParams): string | undefined {
  return isId(before) ? before : undefined
}

/** The part of a page whose rows come newest first, without a total. */
export function newestFirst<Row>(
  query: QueryParams,
  rows: readonly Row[],
  olderThan: string | undefined,
): FoundRows<Row> {
  const isFirst = query.before === undefined
  const hasOlder = olderThan !== undefined
  const isEmpty = rows.length === 0 && !hasOlder
  return {
    rows,
    shown: isEmpty ? '' : `Showing ${rows.length}${hasOlder ? ' (more available)' : ''}`,
    newer: isFirst ? undefined : queryWith(query, { before: undefined }),
    older: hasOlder ? queryWith(query, { before: olderThan }) : undefined,
  }
}

/** The same for rows of which one more was read than is shown. */
export function newestFirstOf<Row extends { readonly id: string }>(
  query: QueryParams,
  read: readonly Row[],
  most: number,
): FoundRows<Row> {
  const rows = read.slice(0, most)
  return newestFirst(query, rows, read.length > most ? rows.at(-1)?.id : undefined)
}

/**
 * The same for a reading that looked at a limited number of rows. If it ended before it found a
 * page of them, the link to older ones continues from there.
 */
export function newestWithin<Row extends { readonly id: string }>(
  query: QueryParams,
  { rows: read, lookedBackTo }: { rows: readonly Row[]; lookedBackTo: string | undefined },
  most: number,
): FoundRows<Row> {
  if (read.length > most || lookedBackTo === undefined) {
    return newestFirstOf(query, read, most)
  }
  const back = secondText(new Date(msOfId(lookedBackTo)))
  return {
    ...newestFirst(query, read, lookedBackTo),
    note: `Searched back to ${back} UTC. Choose Older to search further back.`,
  }
}
