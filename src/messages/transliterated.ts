// Writes text in the characters that are cheapest in a text message. One typographic character
// would more than halve the available length, so each is replaced by plain characters.

import { isGsm7 } from './gsm7.ts'
import { shownLine } from './shown.ts'

/** Replacements for characters from which removing the accent is not enough. */
const WRITTEN: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '′': "'",
  '`': "'",
  '´': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '″': '"',
  '«': '"',
  '»': '"',
  '‹': "'",
  '›': "'",
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '•': '-',
  '·': '-',
  '…': '...',
  '⁄': '/',
  '×': 'x',
  '™': '(TM)',
  '®': '(R)',
  '©': '(C)',
  '℠': '(SM)',
  '№': 'No.',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Þ: 'Th',
  þ: 'th',
  Œ: 'OE',
  œ: 'oe',
  ı: 'i',
  ẞ: 'SS',
  '₹': 'Rs.',
}

/** Emoji, with the characters that join and color them. Names can be read without them. */
const PICTURES =
  /(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\uFE0F|\u200D|\u20E3/gu

const WIDTHLESS = /[\u00AD\u200B\u200C\u200E\u200F\u2060]/g

const ACCENTS = /\p{Mn}/gu

/** Scripts without replacements stay as they are. */
export function transliterated(text: string): string {
  const bare = shownLine(text.replace(WIDTHLESS, '').replace(PICTURES, ' '))
  const line = bare === '' ? shownLine(text) : bare
  return [...line.normalize('NFC')].map(typewritten).join('')
}

function typewritten(character: string): string {
  if (isGsm7(character)) return character
  const written = WRITTEN[character]
  if (written !== undefined) return written
  const plain = [...character.normalize('NFKD').replace(ACCENTS, '')].map(
    (one) => WRITTEN[one] ?? one,
  )
  return plain.length > 0 && plain.every(isGsm7) ? plain.join('') : character
}
