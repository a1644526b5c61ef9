// Whether a repeat is the same request, and if not, what differs.

import { isDeepStrictEqual } from 'node:util'
import type { Faults } from '../core/errors.ts'

export type CanonicalRequest = Readonly<Record<string, unknown>>

const DIFFERS = ['differs from the first request with this key']

/**
 * Both as JSON gives them back, with defaults filled in: what was left out equals what it stands
 * for.
 */
export function differences(first: CanonicalRequest, repeat: CanonicalRequest): Faults {
  const fields = new Set([...Object.keys(first), ...Object.keys(repeat)])
  const different = [...fields].filter((field) => !isDeepStrictEqual(first[field], repeat[field]))
  return Object.fromEntries(different.map((field) => [field, DIFFERS]))
}
