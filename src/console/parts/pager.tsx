// The navigation of a list with several pages.

import { grouped } from '../../core/counts.ts'
import { pageNumber, pathWith, type QueryParams, queryWith } from '../query.ts'

/** Which part of a list a page shows, and the queries of the pages beside it. */
export interface PagePart {
  /** `51–100 of 4,211`. Empty if it has no row. */
  readonly shown: string
  readonly newer?: QueryParams | undefined
  readonly older?: QueryParams | undefined
}

interface PagerProps extends PagePart {
  readonly path: string
  /** The rows are not in the order of time. */
  readonly isSorted?: boolean
}

/** Nothing for a list that is empty; a page past the end of a list has its way back. */
export function Pager({ path, shown, newer, older, isSorted = false }: PagerProps) {
  if (shown === '' && newer === undefined && older === undefined) return null
  return (
    <nav class="pager" aria-label="Pages of the list">
      <p class="quiet number">{shown}</p>
      {newer === undefined ? null : (
        <a class="button plain" href={pathWith(path, newer)}>
          ← {isSorted ? 'Back' : 'Newer'}
        </a>
      )}
      {older === undefined ? null : (
        <a class="button plain" href={pathWith(path, older)}>
          {isSorted ? 'Next' : 'Older'} →
        </a>
      )}
    </nav>
  )
}

/** A page of a list by its number in the address: which rows to read, and then its navigation. */
export function numberedPage(query: QueryParams, rowsAPage: number) {
  const page = pageNumber(query)
  const skip = (page - 1) * rowsAPage
  const to = (number: number) => queryWith(query, { page: number === 1 ? undefined : number })
  /** `last`: the last page that has rows, as far as it is known. */
  const links = (count: number, hasMore: boolean, last = 1) => ({
    shown: count === 0 ? '' : `${grouped(skip + 1)}–${grouped(skip + count)}`,
    newer: page > 1 ? to(count === 0 ? last : page - 1) : undefined,
    older: hasMore ? to(page + 1) : undefined,
  })
  return {
    skip,
    /** The list has no total: one row more was read than is shown. */
    show<Row>(read: readonly Row[]): { readonly rows: readonly Row[]; readonly pager: PagePart } {
      const rows = read.slice(0, rowsAPage)
      return { rows, pager: links(rows.length, read.length > rows.length) }
    },
    pagerOf(count: number, total: number): PagePart {
      const last = Math.max(1, Math.ceil(total / rowsAPage))
      const { shown, ...others } = links(count, skip + count < total, last)
      return { shown: shown === '' ? '' : `${shown} of ${grouped(total)}`, ...others }
    },
  }
}
