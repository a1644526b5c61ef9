// Reads the rows of Prisma's models in hot statements, where Prisma itself would cost more than the
// database does.

import { Prisma } from '../generated/client.ts'
import type { Row } from './gathered.ts'

type Model =
  | 'Batch'
  | 'Customer'
  | 'Invoice'
  | 'PaymentLink'
  | 'PaymentMethod'
  | 'Schedule'
  | 'Transaction'

export interface Columns<T> {
  /** The select list, each column under a name that no other table of the statement uses. */
  readonly list: string
  readonly read: (row: Row) => T
}

/**
 * `alias` is the table's name in the statement; `bigints` are the properties that `pg` hands over
 * as text.
 */
export function columnsOf<T>(
  model: Model,
  alias: string,
  bigints: readonly (keyof T & string)[] = [],
): Columns<T> {
  const parts = Object.keys(Prisma[`${model}ScalarFieldEnum`]).map((property) => ({
    property,
    column: columnName(property),
    name: `${alias}_${columnName(property)}`,
    isBigint: (bigints as readonly string[]).includes(property),
  }))
  return {
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

/** The convention of the Prisma schema: `address1` is `address_1`, `ccSms` is `cc_sms`. */
function columnName(property: string): string {
  return property.replace(/[A-Z]|\d+$/g, (part) => `_${part.toLowerCase()}`)
}
