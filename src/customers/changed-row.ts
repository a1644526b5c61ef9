// The next version of a row, or nothing where it would be no other than it is.

import { isDeepStrictEqual } from 'node:util'

interface Versioned {
  readonly version: number
  readonly updatedAt: Date
}

/** `change` holds what was sent, and nothing of it is undefined. */
export function changedRow<T extends Versioned>(
  row: T,
  change: Partial<NoInfer<T>>,
  now: Date,
): T | undefined {
  const next = { ...row, ...change }
  if (isDeepStrictEqual(asJson(next), asJson(row))) return undefined
  return { ...next, version: row.version + 1, updatedAt: now }
}

/** As the database gives it back: it knows no -0. */
function asJson(row: object): unknown {
  return JSON.parse(JSON.stringify(row))
}
