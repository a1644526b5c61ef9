// The names of operators, as the audit log has them.

export const LONGEST_NAME = 60

/** Audit entries of the service itself have these names. */
const TAKEN = ['start', 'command line', 'stranger']

/** Why an operator cannot be called so. */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name.'
  if (INVISIBLE.test(name) || [...name].length > LONGEST_NAME) {
    return `Enter a name of ${LONGEST_NAME} visible characters at most.`
  }
  if (!isOfOneAlphabet(name)) return 'Enter a name in letters of one alphabet.'
  if (TAKEN.includes(nameKeyOf(name))) return 'The service itself goes by that name.'
  return undefined
}

/** Not drawn, or drawn as nothing: the last one is an empty Braille cell. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Japanese and Korean names mix theirs. */
const ALPHABETS = [
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u,
  ...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari'].map(
    (script) => new RegExp(`^\\p{Script=${script}}$`, 'u'),
  ),
]

/** A Cyrillic letter among Latin ones is drawn like one of them. */
function isOfOneAlphabet(name: string): boolean {
  const letters = name.match(/\p{L}/gu) ?? []
  const known = ALPHABETS.filter((alphabet) => letters.some((letter) => alphabet.test(letter)))
  return known.length <= 1
}

/** Two names with the same key look alike: accents and the dot of an i make no difference. */
export function nameKeyOf(name: string): string {
  const bare = name.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
  return bare.trim().replace(/\s+/g, ' ').toLowerCase().replaceAll('ı', 'i')
}
