// A page of a list, as it is asked for and as it is found.

import { takingTurns } from '../core/next-turn.ts'
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

/** The two side by side. What takes long to read lets others come between. */
export async function askPage<T>(
  query: Query,
  { values, count, page }: PageStatements,
  read: (row: Row) => T,
): Promise<Paged<T>> {
  const [[counted], rows] = await Promise.all([query(count, values), query(page, values)])
  const othersTurn = takingTurns()
  const all: T[] = []
  for (const row of rows) {
    all.push(read(row))
    await othersTurn()
  }
  return { total: Number(counted?.total), rows: all }
}
