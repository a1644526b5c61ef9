// How much a body may hold, found in its bytes before anything is made of them: what a caller can
// send costs no more than the reading of it.

import { type Faults, Refusal } from '../core/errors.ts'

export const MOST_ITEMS = 1_000

/**
 * Fields and items of the whole body, at every depth. More than any request of ours has use for,
 * and few enough to be parsed within milliseconds, however they are nested.
 */
const MOST_VALUES = 20_000

/** What a place is called in a fault: names are the caller's, and may be as long as the body. */
const MOST_PLACE_CHARACTERS = 200

interface Container {
  readonly isArray: boolean
  /** How many members begin before this point, and where the newest text in it stands. */
  members: number
  textFrom: number
  textTo: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Undefined where it is within them. JSON that is broken is read as far as it goes: the parser says
 * what is wrong with it.
 */
export function beyondBounds(json: Buffer): Refusal | undefined {
  const open: Container[] = []
  let values = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    const inside = open.at(-1)
    if (byte === QUOTE) {
      const end = endOfText(json, at)
      if (inside !== undefined) Object.assign(inside, { textFrom: at + 1, textTo: end })
      at = end
    } else if (byte === ARRAY || byte === OBJECT) {
      values += 1
      open.push({ isArray: byte === ARRAY, members: 1, textFrom: 0, textTo: 0 })
    } else if (byte === ARRAY_END || byte === OBJECT_END) {
      open.pop()
    } else if (byte === COMMA && inside !== undefined) {
      values += 1
      inside.members += 1
      if (inside.isArray && inside.members > MOST_ITEMS) return tooMany(json, open)
    }
    if (values > MOST_VALUES) return beyond({ body: [`must hold at most ${MOST_VALUES} values`] })
  }
  return undefined
}

/** The place of the quote that ends it. */
function endOfText(json: Buffer, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

function tooMany(json: Buffer, open: readonly Container[]): Refusal {
  const steps = open.slice(0, -1).map(({ isArray, members, textFrom, textTo }) => {
    return isArray ? members - 1 : json.toString('utf8', textFrom, textTo)
  })
  const place = steps.join('.').slice(0, MOST_PLACE_CHARACTERS).toWellFormed()
  return beyond({ [place || 'body']: [`must hold at most ${MOST_ITEMS} items`] })
}

function beyond(faults: Faults): Refusal {
  return new Refusal('invalid_request', { faults })
}
