// The form of a key, and the parts of it that are stored.

import { hash, randomBytes } from 'node:crypto'

export const MODES = ['sandbox', 'live'] as const

export type Mode = (typeof MODES)[number]

const KEY_BYTES = 32
const FORM = /^sk_(sandbox|live)_[A-Za-z0-9_-]{16,200}$/

/** Enough to tell keys apart in a list, and useless for guessing. */
const SHOWN_CHARACTERS = 6

export function newKey(mode: Mode): string {
  return `sk_${mode}_${randomBytes(KEY_BYTES).toString('base64url')}`
}

export function hashOf(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

export function hashOfKey(text: string): Buffer | undefined {
  return FORM.test(text) ? hashOf(text) : undefined
}

export function prefixOf(key: string): string {
  const [, start = ''] = /^(sk_(?:sandbox|live)_)/.exec(key) ?? []
  return key.slice(0, start.length + SHOWN_CHARACTERS)
}
