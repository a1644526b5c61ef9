// The keys that secrets are sealed with, as operators write them.

import { allOf, type Kind } from './kinds.ts'
import { hidden } from './masking.ts'

const HEX = /^[0-9a-f]{64}$/i
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/

/** Fewer different bytes than this are typed, and not drawn: 32 random ones have hardly ever 20. */
const LEAST_DIFFERENT = 16

/** In one form, whatever they were written in. */
export function secretsKeys(): Kind<readonly string[]> {
  return {
    wanted:
      '32 random bytes in base64 or hex, such as openssl rand -base64 32 prints, or several, comma-separated',
    parse: (text) => allOf(text, keyOf),
    show: hidden,
  }
}

function keyOf(text: string): string | undefined {
  const bytes = bytesOf(text)
  return bytes === undefined || new Set(bytes).size < LEAST_DIFFERENT
    ? undefined
    : bytes.toString('base64')
}

function bytesOf(text: string): Buffer | undefined {
  if (HEX.test(text)) return Buffer.from(text, 'hex')
  return BASE64.test(text) ? Buffer.from(text, 'base64') : undefined
}
