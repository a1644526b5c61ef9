// Text as a text message can hold it most cheaply: one typographic character would halve its room
// and more, so each is written as a typewriter would.

import { isGsm7 } from './gsm7.ts'
import { oneLine } from './shown.ts'

/** By the character, where taking its accents off is not enough. */
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

/** Pictures, and what joins and colours them. Names are read as well without. */
const PICTURES =
  /(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\uFE0F|\u200D|\u20E3/gu

const WIDTHLESS = /[\u00AD\u200B\u200C\u200E\u200F\u2060]/g

const ACCENTS = /\p{Mn}/gu

/** Scripts that it cannot write stay as they are. */
export function transliterated(text: string): string {
  const bare = oneLine(text.replace(WIDTHLESS, '').replace(PICTURES, ' '))
  const line = bare === '' ? oneLine(text) : bare
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
