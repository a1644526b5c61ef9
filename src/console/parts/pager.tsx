// The navigation of a list with several pages.

import { grouped } from '../../core/counts.ts'
import { pageNumber, pathWith, type QueryParams } from '../query.ts'

export interface PagerProps {
  /** The shown part of the list: `51–100 of 4,211`. Empty if it has no row. */
  readonly shown: string
  readonly newer?: string | undefined
  readonly older?: string | undefined
  /** The rows are not in the order of time. */
  readonly isSorted?: boolean
}

/** Nothing for a list that is empty; a page past the end of a list has its way back. */
export function Pager({ shown, newer, older, isSorted = false }: PagerProps) {
  if (shown === '' && newer === undefined && older === undefined) return null
  return (
    <nav class="pager" aria-label="Pages of the list">
      <p class="quiet number">{shown}</p>
      {newer === undefined ? null : (
        <a class="button plain" href={newer}>
          ← {isSorted ? 'Back' : 'Newer'}
        </a>
      )}
      {older === undefined ? null : (
        <a class="button plain" href={older}>
          {isSorted ? 'Next' : 'Older'} →
        </a>
      )}
    </nav>
  )
}

/** A page of a list by its number in the address: which rows to read, and then its navigation. */
export function numberedPage(path: string, query: QueryParams, rowsAPage: number) {
  const page = pageNumber(query)
  const skip = (page - 1) * rowsAPage
  const to = (number: number) => pathWith(path, query, { page: number === 1 ? undefined : number })
  /** `last`: the last page that has rows, as far as it is known. */
  const links = (count: number, hasMore: boolean, last = 1) => ({
    shown: count === 0 ? '' : `${grouped(skip + 1)}–${grouped(skip + count)}`,
    newer: page > 1 ? to(count === 0 ? last : page - 1) : undefined,
    older: hasMore ? to(page + 1) : undefined,
  })
  return {
    skip,
    /** The list has no total: one row more was read than is shown. */
    show<Row>(read: readonly Row[]): { readonly rows: readonly Row[]; readonly pager: PagerProps } {
      const rows = read.slice(0, rowsAPage)
      return { rows, pager: links(rows.length, read.length > rows.length) }
    },
    pagerOf(count: number, total: number): PagerProps {
      const last = Math.max(1, Math.ceil(total / rowsAPage))
      const { shown, ...others } = links(count, skip + count < total, last)
      return { shown: shown === '' ? '' : `${shown} of ${grouped(total)}`, ...others }
    },
  }
}
