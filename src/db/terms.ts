// A filter is a condition of SQL that has a name. Statements take every value as a parameter.

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Makes a value a parameter of the statement, and says how the statement names it. */
export type Put = (value: unknown) => string

/**
 * A text has `$value` where the value belongs. A function writes the condition itself, for values
 * that decide more than a parameter. It may look at those of the other filters too.
 */
type Filter<V> = string | ((value: V, put: Put, asked: Asked) => string)

type Asked = Readonly<Record<string, unknown>>

export type Filters = Readonly<Record<string, Filter<never>>>

/** A text can compare a column with such a value. */
type Comparable = string | number | bigint | boolean | Date | readonly string[]

/** Values by the names of their filters. A filter whose value is undefined does not apply. */
export type FilterValues<F extends Filters> = {
  readonly [Name in keyof F]?:
    | (F[Name] extends (value: infer V, put: Put, asked: Asked) => string ? V : Comparable)
    | undefined
}

/** Its values are those that `write` puts in, in their order. */
export function statementOf(write: (put: Put) => string): Statement {
  const values: unknown[] = []
  const text = write((value) => `$${values.push(value)}`)
  return { text, values }
}

export function termsOf<F extends Filters>(
  filters: F,
  asked: FilterValues<F>,
  put: Put,
): readonly string[] {
  return Object.entries(filters).flatMap(([name, filter]) => {
    const value = asked[name]
    if (value === undefined) return []
    if (typeof filter === 'function') return [filter(value as never, put, asked)]
    return [filter.split('$value').join(put(value))]
  })
}

/** Without terms the condition is true. */
export function allOf(terms: readonly string[]): string {
  return terms.length === 0 ? 'true' : terms.join(' AND ')
}

/** Each keyword must be found. One that is repeated is looked for once. */
export function allKeywords(
  keywords: readonly string[],
  term: (keyword: string) => string,
): string {
  return allOf([...new Set(keywords)].map(term))
}

/** A pattern of ILIKE for texts that contain the keyword: its own characters are no wildcards. */
export function containing(keyword: string): string {
  return `%${literally(keyword)}%`
}

/** The text as a part of a pattern of LIKE, where no character of it has a meaning. */
export function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/**
 * True of a row whose `meta` has this number of the merchant's order. The indexes …_of_reference
 * and …_of_po_number have exactly these expressions, cut to the length of the longest keyword.
 */
export function orderNumberTerms(row: string, word: string): readonly string[] {
  return ['reference', 'poNumber'].map(
    (field) => `left(lower(${row}.meta->>'${field}'), 255) = lower(${word})`,
  )
}
