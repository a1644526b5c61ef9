// The short form of an id, for people: on receipts, bills and in tables. It holds the id's time, so
// that the row can be found by its key, and some of the bits behind it. Two ids of the same
// millisecond have the same form once in 131,072 times; then the search shows both.

import { firstIdAt, msOfId } from './id.ts'

/** Crockford's digits: no I, L, O and U, which are misread. Those that are typed are understood. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const BITS_A_DIGIT = 5n
const LENGTH = 12

/** The milliseconds before them fit until the year 2248. */
const TELLING_BITS = 17n

/** The bits behind the time, the version and the variant. */
const BEHIND = /^.{19}([0-9a-f]{4})-([0-9a-f]{2})/i
const UNUSED_BITS = 2n

export function referenceOf(id: string): string {
  const [, high = '', low = ''] = BEHIND.exec(id) ?? []
  const behind = BigInt(`0x${high}${low}`) >> UNUSED_BITS
  const telling = behind & ((1n << TELLING_BITS) - 1n)
  return digitsOf((BigInt(msOfId(id)) << TELLING_BITS) + telling)
}

function digitsOf(value: bigint): string {
  let bits = value
  let digits = ''
  while (digits.length < LENGTH) {
    digits = `${DIGITS[Number(bits % 32n)]}${digits}`
    bits >>= BITS_A_DIGIT
  }
  return digits
}

interface TypedReference {
  /** As it was printed. */
  readonly reference: string
  /** The first id of its millisecond, and of the next one. */
  readonly firstId: string
  readonly nextId: string
}

export function readReference(text: string): TypedReference | undefined {
  const typed = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  if (typed.length !== LENGTH) return undefined
  let bits = 0n
  for (const digit of typed) {
    const value = DIGITS.indexOf(digit)
    if (value < 0) return undefined
    bits = (bits << BITS_A_DIGIT) + BigInt(value)
  }
  const ms = Number(bits >> TELLING_BITS)
  const [firstId, nextId] = [firstIdAt(new Date(ms)), firstIdAt(new Date(ms + 1))]
  return { reference: typed, firstId, nextId }
}
