// The versions of a row: the first, and the next one after a change.

import { isDeepStrictEqual } from 'node:util'

interface Versioned {
  readonly version: number
  readonly updatedAt: Date
}

/** The columns of a new row that is changed and deleted later. */
export function firstVersion(now: Date) {
  return { version: 1, createdAt: now, updatedAt: now, deletedAt: null }
}

/**
 * The next version, or nothing if the change has no effect. `change` contains only the fields of
 * the request, none of them undefined.
 */
export function changedRow<T extends Versioned>(
  row: T,
  change: Partial<NoInfer<T>>,
  now: Date,
): T | undefined {
  const next = { ...row, ...change }
  if (isDeepStrictEqual(asJson(next), asJson(row))) return undefined
  return { ...next, version: row.version + 1, updatedAt: now }
}

/** As the database returns it: JSON has no -0. Cents are no JSON, and compared as text. */
function asJson(row: object): unknown {
  return JSON.parse(
    JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
}
