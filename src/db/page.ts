// A page of a list, as it is asked for and as it is found.

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
