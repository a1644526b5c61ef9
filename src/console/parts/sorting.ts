// The order of a list, as its address asks for it. A list offers only orders that an index has.

import type { Direction } from '../../db/newest-anywhere.ts'
import { choiceOf, FIRST_PAGE, pathWith, type QueryParams } from '../query.ts'

/** The newest first: the order of every list that is not asked for another. */
export const BY_TIME = ['created_at'] as const

const DIRECTIONS: readonly Direction[] = ['desc', 'asc']

/** The default order, if the list lacks the order that is asked for. */
export function sortingOf<Sort extends string>(
  query: QueryParams,
  sorts: readonly [Sort, ...Sort[]],
) {
  const asked = isSortedAs(query, sorts) ? query : {}
  const sort = choiceOf(asked, 'sort', sorts) ?? sorts[0]
  return { sort, direction: choiceOf(asked, 'order', DIRECTIONS) ?? 'desc' }
}

/** Whether the list has the order that is asked for. */
export function isSortedAs({ sort, order }: QueryParams, sorts: readonly string[]): boolean {
  return (
    (sort === undefined || sorts.includes(sort)) &&
    (order === undefined || (sorts.length > 0 && DIRECTIONS.some((one) => one === order)))
  )
}

export const NOT_SORTED = 'These rows can’t be put in that order, so the newest come first.'

/** How the rows are sorted by one column, and the address that sorts them by it, or turns them. */
export function sortBy(path: string, query: QueryParams, sorts: readonly string[], sort: string) {
  const [first = sort, ...others] = sorts
  const current = sortingOf(query, [first, ...others])
  const isCurrent = current.sort === sort
  const order = isCurrent && current.direction === 'desc' ? 'asc' : 'desc'
  const isDefault = sort === first && order === 'desc'
  const words = { asc: 'ascending', desc: 'descending' } as const
  return {
    sorted: isCurrent ? words[current.direction] : undefined,
    path: pathWith(path, query, {
      sort: isDefault ? undefined : sort,
      order: isDefault ? undefined : order,
      ...FIRST_PAGE,
    }),
  }
}
