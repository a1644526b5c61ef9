// A page of a list, as it is asked for and as it is found.

import type { Query } from './database.ts'
import type { Row } from './gathered.ts'

export interface Page<Sort extends string> {
  readonly number: number
  readonly skip: number
  readonly take: number
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
}

export interface Paged<T> {
  readonly total: number
  readonly rows: readonly T[]
}

/** Both take the same values. `count` answers the total, as such. */
interface PageStatements {
  readonly values: readonly unknown[]
  readonly count: string
  readonly page: string
}

/** The two side by side. */
export async function askPage<T>(
  query: Query,
  { values, count, page }: PageStatements,
  read: (row: Row) => T,
): Promise<Paged<T>> {
  const [[counted], rows] = await Promise.all([query(count, values), query(page, values)])
  return { total: Number(counted?.total), rows: rows.map(read) }
}
