// What is told of a field that is not known: the one that was probably meant.

import type { Schema } from '../resource/json-schema.ts'

/** Further apart two names are of different things; and so are short ones. */
const MOST_SLIPS = 2
const LETTERS_A_SLIP = 3

/** No field of ours has a longer name. */
const MOST_CHARACTERS = 40

export function unknownFieldFault(sent: string, { properties = {} }: Schema): string {
  const known = Object.keys(properties as object)
  const nearest = known
    .map((name) => ({ name, slips: slipsBetween(plain(sent), plain(name)) }))
    .sort((one, other) => one.slips - other.slips)[0]
  if (nearest !== undefined && nearest.slips <= mostSlips(sent)) {
    return `is not known here: probably ${nearest.name} is meant`
  }
  return known.length === 0 ? 'is not known here' : `is not known here: ${known.join(', ')} are`
}

function mostSlips(sent: string): number {
  return Math.min(MOST_SLIPS, Math.floor(sent.length / LETTERS_A_SLIP))
}

/** However its words are joined. */
function plain(name: string): string {
  return name
    .slice(0, MOST_CHARACTERS)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

/** Letters that were left out, put in, or taken for another: the distance of Levenshtein. */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const above = row
    row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const [left = 0, over = 0, corner = 0] = [row[j - 1], above[j], above[j - 1]]
      row.push(Math.min(left + 1, over + 1, corner + (isSame ? 0 : 1)))
    }
  }
  return row.at(-1) ?? 0
}
