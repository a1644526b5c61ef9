// Compares a repeat with the first request, and names the differences.

import { isDeepStrictEqual } from 'node:util'
import type { Faults } from '../core/errors.ts'

export type CanonicalRequest = Readonly<Record<string, unknown>>

/** As it is stored: JSON, without the fields that have no value. */
export function asStored(request: object): CanonicalRequest {
  return JSON.parse(JSON.stringify(request))
}

export const DIFFERS = ['differs from the first request with this key']

/** Both as parsed JSON with defaults filled in, so an absent value equals its default. */
export function differences(first: CanonicalRequest, repeat: CanonicalRequest): Faults {
  const fields = new Set([...Object.keys(first), ...Object.keys(repeat)])
  const different = [...fields].filter((field) => !isDeepStrictEqual(first[field], repeat[field]))
  return Object.fromEntries(different.map((field) => [field, DIFFERS]))
}
