// Finds the name that was meant by an unknown word: a field, a filter, a setting or a command.

/** In short names, and with more edits, two names are merely alike. */
const MOST_EDITS = 2
const LETTERS_AN_EDIT = 3

/** Words come from callers and may be as long as a body. No name of ours is longer. */
const MOST_CHARACTERS = 60

/** The nearest of the names, if one is near enough to be suggested. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  return nearestOf(names)(word)
}

/** The same for several words, whose names are taken apart once. */
export function nearestOf(names: readonly string[]): (word: string) => string | undefined {
  const known = names.map((name) => ({ name, spelled: spell(name) }))
  return (word) => {
    const sent = spell(word)
    const asLong = known.filter(({ spelled }) => lengthsDiffer(sent, spelled) <= MOST_EDITS)
    for (let edits = 0; edits <= MOST_EDITS; edits += 1) {
      const nearest = asLong.find(({ spelled }) => isNear(sent, spelled, edits))
      if (nearest !== undefined) return nearest.name
    }
    return known.find(({ spelled }) => isBeginning(sent.words, spelled.words))?.name
  }
}

interface Spelled {
  readonly words: readonly string[]
  /** Without what separates the words. */
  readonly letters: string
  readonly lettersOfSorted: string
}

function spell(name: string): Spelled {
  const words = wordsOf(name)
  return { words, letters: words.join(''), lettersOfSorted: words.toSorted().join('') }
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

function isNear(one: Spelled, other: Spelled, edits: number): boolean {
  if (lengthsDiffer(one, other) > edits) return false
  const shorter = Math.min(one.letters.length, other.letters.length)
  if (edits > 0 && edits * LETTERS_AN_EDIT > shorter) return false
  if (isWithin(one.letters, other.letters, edits)) return true
  return isWithin(one.lettersOfSorted, other.lettersOfSorted, edits)
}

function lengthsDiffer(one: Spelled, other: Spelled): number {
  return Math.abs(one.letters.length - other.letters.length)
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
