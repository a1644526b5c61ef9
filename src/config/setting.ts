import { strict as assert } from 'node:assert'
import type { Kind } from './kinds.ts'

/** `fallback` tells a reader what happens without the setting, `absent` is the value then. */
export interface Setting<T> {
  readonly name: string
  readonly meaning: string
  readonly fallback: string
  readonly kind: Kind<T>
  readonly absent: () => T | undefined
}

export interface Preset<T> extends Setting<T> {
  readonly absent: () => T
}

/**
 * A default is written and read as in the environment, so that the documentation cannot stray from
 * it.
 */
export function preset<T>(
  name: string,
  meaning: string,
  kind: Kind<T>,
  fallback: string,
): Preset<T> {
  const absent = () => {
    const value = kind.parse(fallback)
    assert(value !== undefined, `the default of ${name} is not ${kind.wanted}`)
    return value
  }
  return { name, meaning, fallback, kind, absent }
}

export function optional<T>(
  name: string,
  meaning: string,
  kind: Kind<T>,
  fallback: string,
): Setting<T> {
  return { name, meaning, fallback, kind, absent: () => undefined }
}
