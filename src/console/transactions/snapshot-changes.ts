// What one snapshot of a resource says otherwise than the one before it.

import { isDeepStrictEqual } from 'node:util'

type Fields = Readonly<Record<string, unknown>>

/** It changes with every other. */
const UNTOLD: readonly string[] = ['updated_at']

/** Longer values are for the whole snapshot. */
const LONGEST = 60

/** A line each: `status: PENDING → SUCCESS`. */
export function snapshotChanges(before: unknown, now: unknown): readonly string[] {
  const [old, next] = [fieldsOf(before), fieldsOf(now)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  return names
    .filter((name) => !UNTOLD.includes(name) && !isDeepStrictEqual(old[name], next[name]))
    .map((name) => `${name}: ${shown(old[name])} → ${shown(next[name])}`)
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return String(value.length)
  if (typeof value === 'object') return '…'
  const text = String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function fieldsOf(snapshot: unknown): Fields {
  return typeof snapshot === 'object' && snapshot !== null ? (snapshot as Fields) : {}
}
