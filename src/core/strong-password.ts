// Refuses the passwords that an attacker tries first. It does not measure how strong others are.

export const STRONG_PASSWORD =
  '12 characters at least, which are no row of keys or digits, no repetition and no obvious word'

const LEAST_CHARACTERS = 12

/** Fewer different characters are a pattern. */
const LEAST_DIFFERENT = 5

/** At least so many letters must be left of a password without the words below. */
const LEAST_OTHERS = 4

/** Words that people combine into passwords, or copy from examples. */
const WORDS =
  /administrator|correcthorsebatterystaple|iloveyou|lamplighter|operator|passphrase|password|passwort|motdepasse|contrasena|letmein|welcome|dragon|monkey|football|baseball|sunshine|princess|console|default|service|changeit|change|example|payments?|secret|please|admin|login|master|qwertz|qwerty|azerty|asdfgh|zxcvbn|super|guest|hello|enter|root|pass|test|user|this|the|you|me|my|is/g

/** Digits and signs as they stand for letters. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789'.repeat(4),
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
].flatMap((row) => [row, [...row].reverse().join('')])

export function isStrongPassword(text: string): boolean {
  const lower = text.toLowerCase()
  const characters = [...lower]
  return (
    characters.length >= LEAST_CHARACTERS &&
    new Set(characters).size >= LEAST_DIFFERENT &&
    !repeats(characters) &&
    !isRow(lower) &&
    !isObvious(lower)
  )
}

/** One piece is repeated over and over, perhaps cut off at the end. */
function repeats(characters: readonly string[]): boolean {
  return characters.some(
    (_, period) =>
      period > 0 &&
      period <= characters.length / 2 &&
      characters.every((character, i) => i < period || character === characters[i - period]),
  )
}

function isRow(lower: string): boolean {
  const bare = lower.replace(/[^\p{L}\p{N}]/gu, '')
  const [letters, digits] = [bare.replace(/\d/g, ''), bare.replace(/\D/g, '')]
  const inRow = (part: string) => ROWS.some((row) => row.includes(part))
  return inRow(bare) || (inRow(letters) && inRow(digits))
}

/** True for a password that says little more than this name, with digits and signs around it. */
export function isNameAgain(text: string, name: string): boolean {
  const parts = name.toLowerCase().match(/\p{L}+/gu) ?? []
  const letters = text.toLowerCase().replace(/\P{L}/gu, '')
  const longestFirst = parts.toSorted((one, other) => other.length - one.length)
  const others = longestFirst.reduce((rest, part) => rest.replaceAll(part, ''), letters)
  return others.length < letters.length && others.length < LEAST_OTHERS
}

/** Only words of the list, with digits and signs around them. */
function isObvious(lower: string): boolean {
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return [lower, lettersOf(lower), lettersOf(bare)].some((text) => {
    const letters = text.replace(/\P{L}/gu, '')
    const others = letters.replace(WORDS, '')
    return others.length < letters.length && others.length < LEAST_OTHERS
  })
}

function lettersOf(text: string): string {
  return text.replace(/[0134579@$!]/g, (sign) => STANDS_FOR[sign] ?? sign)
}
