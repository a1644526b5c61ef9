// Changes some columns of one row. Rows that only operators change need no more than this; rows of
// the API are written whole (columns.ts).

import { snakeCase } from '../core/snake-case.ts'
import type { Query } from './database.ts'
import { type Put, statementOf } from './terms.ts'

/** Values by the properties of the row's model. */
type Values = Readonly<Record<string, unknown>>

export async function changeRow(
  query: Query,
  table: 'account' | 'api_key' | 'operator' | 'team',
  key: Values,
  change: Values,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  const { text, values } = statementOf((put) => {
    const changes = equations(change, put).join(', ')
    return `UPDATE ${table} SET ${changes} WHERE ${equations(key, put).join(' AND ')}`
  })
  await query(text, values)
}

function equations(columns: Values, put: Put): readonly string[] {
  return Object.entries(columns).map(([name, value]) => `${snakeCase(name)} = ${put(value)}`)
}
