// Finds the name that was meant by an unknown word: a field, a filter, a setting or a command.

/** In short names, and with more edits, two names are merely alike. */
const MOST_EDITS = 2
const LETTERS_AN_EDIT = 3

/** Words come from callers and may be as long as a body. No name of ours is longer. */
const MOST_CHARACTERS = 60

/** The nearest of the names, if one is near enough to be suggested. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const sent = wordsOf(word)
  const known = names.map((name) => ({ name, words: wordsOf(name) }))
  for (let edits = 0; edits <= MOST_EDITS; edits += 1) {
    const nearest = known.find(({ words }) => isNear(sent, words, edits))
    if (nearest !== undefined) return nearest.name
  }
  return known.find(({ words }) => isBeginning(sent, words))?.name
}

/** `total_min`, `minTotal` and `min-total` are the same words, and the first in another order. */
function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, MOST_CHARACTERS)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function isNear(some: readonly string[], others: readonly string[], edits: number): boolean {
  const [one, other] = [some.join(''), others.join('')]
  if (Math.abs(one.length - other.length) > edits) return false
  const shorter = Math.min(one.length, other.length)
  if (edits > 0 && edits * LETTERS_AN_EDIT > shorter) return false
  if (isWithin(one, other, edits)) return true
  return isWithin(some.toSorted().join(''), others.toSorted().join(''), edits)
}

/** Without its last word: `CHARGE_WAIT` for `CHARGE_WAIT_MS`. One word alone says too little. */
function isBeginning(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 1 && some.every((word, at) => word === others[at])
}

/** An edit adds, removes or replaces a letter, or swaps two neighbours. */
function isWithin(one: string, other: string, edits: number): boolean {
  if (Math.abs(one.length - other.length) > edits) return false
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const [a, b] = [one.slice(same), other.slice(same)]
  if (a === b) return true
  if (edits === 0) return false
  const isWithinBeyond = (ofA: number, ofB: number) =>
    isWithin(a.slice(ofA), b.slice(ofB), edits - 1)
  const areSwapped = a[0] === b[1] && a[1] === b[0]
  return (
    isWithinBeyond(1, 0) ||
    isWithinBeyond(0, 1) ||
    isWithinBeyond(1, 1) ||
    (areSwapped && isWithinBeyond(2, 2))
  )
}
