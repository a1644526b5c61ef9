// Reads the rows of Prisma's models in hot statements, where Prisma itself would cost more than the
// database does.

import { Prisma } from '../generated/client.ts'
import type { Row } from './gathered.ts'

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
}

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
