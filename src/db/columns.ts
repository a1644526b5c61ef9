// Reads and writes the rows of Prisma's models in statements. Their types and their columns are
// those of the schema, so that a new column is in every list of columns by itself.

import { Prisma } from '../generated/client.ts'
import type { Query } from './database.ts'
import type { Row } from './gathered.ts'
import { instantText } from './instant-text.ts'

type Model =
  | 'Batch'
  | 'Customer'
  | 'Delivery'
  | 'Invoice'
  | 'PaymentLink'
  | 'PaymentMethod'
  | 'Schedule'
  | 'Transaction'
  | 'Webhook'

export interface Columns<T> {
  /** The select list, each column under a name that no other table of the statement uses. */
  readonly list: string
  readonly read: (row: Row) => T
  /** Inserts the row as it is. */
  readonly insert: (query: Query, row: T) => Promise<void>
  /** Makes the row of that account and id what it is to be, but for what never changes. */
  readonly update: (query: Query, row: T) => Promise<void>
  /** As `insert` sends it, for what inserts in another way. */
  readonly insertion: { readonly text: string; readonly json: (row: T) => string }
}

const FIXED = new Set(['account_id', 'id', 'created_at'])

/**
 * `alias` is the table's name in the statement; `bigints` are the properties that `pg` hands over
 * as text; `properties`, where not all are needed.
 */
export function columnsOf<T>(
  model: Model,
  alias: string,
  bigints: readonly (keyof T & string)[] = [],
  properties: readonly string[] = Object.keys(Prisma[`${model}ScalarFieldEnum`]),
): Columns<T> {
  const parts = properties.map((property) => ({
    property,
    column: columnName(property),
    name: `${alias}_${columnName(property)}`,
    isBigint: (bigints as readonly string[]).includes(property),
  }))
  const table = columnName(model).slice(1)
  const columns = parts.map(({ column }) => column)
  const changing = columns.filter((column) => !FIXED.has(column)).join(', ')
  const row = `json_populate_record(NULL::${table}, $1)`
  const insertion = {
    text: `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM ${row}`,
    json: jsonOf(parts),
  }
  const update = `
    UPDATE ${table} t SET (${changing}) = (SELECT ${changing} FROM ${row})
    WHERE (account_id, id) = (SELECT account_id, id FROM ${row})`
  return {
    insertion,
    async insert(query, one) {
      await query(insertion.text, [insertion.json(one)])
    },
    async update(query, one) {
      await query(update, [insertion.json(one)])
    },
    list: parts.map(({ column, name }) => `${alias}.${column} AS ${name}`).join(', '),
    read(row) {
      const read: Record<string, unknown> = {}
      for (const { property, name, isBigint } of parts) {
        const value = row[name]
        read[property] = isBigint && value !== null ? BigInt(value) : value
      }
      return read as T
    },
  }
}

/** By the names of the columns; a bigint travels as its text. */
function jsonOf<T>(parts: readonly { readonly property: string; readonly column: string }[]) {
  return (row: T) => {
    const entries = parts.map(({ property, column }) => {
      const value = (row as Readonly<Record<string, unknown>>)[property]
      return [column, value instanceof Date ? instantText(value) : value]
    })
    return JSON.stringify(Object.fromEntries(entries), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  }
}

/** The convention of the Prisma schema: `address1` is `address_1`, `ccSms` is `cc_sms`. */
function columnName(property: string): string {
  return property.replace(/[A-Z]|\d+$/g, (part) => `_${part.toLowerCase()}`)
}
