// A hot statement: it works on sets, is prepared once on each connection, and serves all callers of
// the same moment.
//
// Its inputs become the rows of a table named `input`, with one column for each property, numbered
// by `ord`. It returns at most one row for each input, which carries that number.

import type { DeliveryChannel, DeliveryOutcome, ParkedReason } from '../core/delivery.ts'
import { isoText } from '../core/iso-text.ts'
import { snakeCase } from '../core/snake-case.ts'
import type { TransactionStatus, TransactionType } from '../core/transaction.ts'
import { UnfitInput } from './failure.ts'

/** The type of a value for each type of column. JSON is passed as text. */
interface ValueOf {
  readonly uuid: string
  readonly text: string
  readonly bigint: bigint
  readonly integer: number
  readonly boolean: boolean
  readonly bytea: Buffer
  readonly date: string
  readonly timestamptz: Date
  readonly json: string
  readonly jsonb: string
  readonly transaction_type: TransactionType
  readonly transaction_status: TransactionStatus
  readonly delivery_channel: DeliveryChannel
  readonly delivery_status: DeliveryOutcome['status']
  readonly parked_reason: ParkedReason
}

type ColumnType = keyof ValueOf

/** `text?` is a text that may be null. */
type Column = ColumnType | `${ColumnType}?`

export type Columns = Readonly<Record<string, Column>>

/** The input of a statement with these columns, by the names of its properties. */
export type InputOf<C extends Columns> = {
  readonly [P in keyof C]: C[P] extends `${infer T extends ColumnType}?`
    ? ValueOf[T] | null
    : ValueOf[C[P] & ColumnType]
}

export interface GatheredStatement<I, O> {
  readonly name: string
  readonly columns: readonly (readonly [property: keyof I & string, type: ColumnType])[]
  readonly text: string
  readonly read: (row: Row) => O
  /** No caller waits for it, so one round at a time takes more inputs. */
  readonly isPatient: boolean
  /** Inputs of a round with the same text are sent once, and get the same output. Only for reads. */
  readonly sameBy: ((input: I) => string) | undefined
}

/** A row as `pg` reads it: bigint is text, timestamptz is Date. */
// biome-ignore lint/suspicious/noExplicitAny: only the statement's own `read` knows the shape
export type Row = Readonly<Record<string, any>>

/**
 * `input` is the common table expression to begin with: `(input) => \`WITH ${input} SELECT …\``.
 * The result is undefined for an input without a row.
 */
export function gatheredStatement<const C extends Columns, const O>(definition: {
  readonly name: string
  readonly columns: C
  readonly text: (input: string) => string
  readonly read: (row: Row) => O
  readonly isPatient?: boolean
  readonly sameBy?: (input: InputOf<C>) => string
}): GatheredStatement<InputOf<C>, O> {
  const columns = Object.entries<Column>(definition.columns).map(
    ([property, column]) => [property, column.replace('?', '')] as [keyof C & string, ColumnType],
  )
  const names = columns.map(([property]) => snakeCase(property))
  const arrays = columns.map(([, type], i) => arrayOf(type, i + 1))
  const table = `unnest(${arrays.join(', ')}) WITH ORDINALITY AS input(${names.join(', ')}, ord)`
  return {
    name: definition.name,
    columns,
    text: definition.text(`input AS (SELECT * FROM ${table})`),
    read: definition.read,
    isPatient: definition.isPatient ?? false,
    sameBy: definition.sameBy,
  }
}

/**
 * Reads the row `alias` of a table by its key: the account and the id. `joins` add other tables.
 * Each must be a look-up, whichever order the planner would choose.
 */
export function gatheredLookUp<const O>(definition: {
  readonly name: string
  readonly table: string
  readonly alias: string
  readonly columns: string
  readonly joins?: string
  readonly read: (row: Row) => O
}) {
  const { name, table, alias, columns, joins = '', read } = definition
  return gatheredStatement({
    name,
    columns: { accountId: 'uuid', id: 'uuid' },
    text: (input) => `
    WITH ${input}
    SELECT i.ord, ${columns}
    FROM input i
    JOIN ${table} ${alias} ON ${alias}.account_id = i.account_id AND ${alias}.id = i.id ${joins}`,
    read,
  })
}

/** One array for each column, in the cheapest form of its type. */
export function valuesOf<I>(statement: GatheredStatement<I, unknown>, inputs: readonly I[]) {
  return statement.columns.map(([property, type]) => {
    const values = inputs.map((input) => input[property] ?? null)
    if (isJson(type)) return values.map((value) => value ?? '').join(BETWEEN_JSON)
    return QUOTED.has(type) ? values : `{${values.map(bare).join()}}`
  })
}

/**
 * JSON is long and has many characters that an array literal must escape. It cannot contain control
 * characters, so all values travel as one text and are split at this one.
 */
export const BETWEEN_JSON = '\x1e'

/** Types whose text may need escaping in an array literal. `pg` escapes them value by value. */
const QUOTED: ReadonlySet<ColumnType> = new Set(['text', 'bytea'])

function arrayOf(type: ColumnType, position: number): string {
  if (!isJson(type)) return `$${position}::${type}[]`
  return `string_to_array($${position}::text, chr(${BETWEEN_JSON.charCodeAt(0)}), '')::${type}[]`
}

function isJson(type: ColumnType): boolean {
  return type === 'json' || type === 'jsonb'
}

/** The text of a value that needs no quotes: a number, an id, an instant, one of our own words. */
function bare(value: unknown): string {
  if (!(value instanceof Date)) return String(value)
  if (Number.isNaN(value.getTime())) throw new UnfitInput('an invalid date')
  return instantText(value)
}

/**
 * An instant as PostgreSQL reads it, which knows nothing of the sign and the zero that JavaScript
 * puts before a year after 9999.
 */
export function instantText(instant: Date): string {
  return isoText(instant).replace(/^\+0*/, '')
}
