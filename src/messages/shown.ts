// Makes the words of merchants and customers safe to stand among ours: on one line, and without
// effect on the direction of the text beside them.

/** Line breaks and other controls, and characters that would reverse the text after them. */
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const ISOLATE = '\u2068'
const END_OF_ISOLATE = '\u2069'

/** A visible character may consist of several code points. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** One line for a header, or for a place where nothing follows the text. */
export function shownLine(text: string): string {
  return text.replace(UNSHOWABLE, ' ').replace(/\s+/g, ' ').trim()
}

/** The same for each line of a text. */
export function shownLines(text: string): string {
  return text.split(/\r?\n/).map(shownLine).join('\n')
}

/**
 * One line for a place where more text follows: an amount beside it keeps its place and its digits.
 */
export function isolatedLine(text: string): string {
  const line = shownLine(text)
  return RIGHT_TO_LEFT.test(line) ? ISOLATE + line + END_OF_ISOLATE : line
}

/**
 * Mail programs turn `shop.example` into a link, also in a name that a payer has typed. An
 * invisible character after the dot prevents that.
 */
export function unlinked(text: string): string {
  return text.replace(/\.(?=[\p{L}\p{N}])/gu, '.\u200C')
}

/** Joins the sentences that are not undefined. */
export function sentences(...all: readonly (string | undefined)[]): string {
  return all.filter((one) => one !== undefined).join(' ')
}

/** No visible character is cut in two. */
export function shortened(text: string, most: number, ellipsis = '…'): string {
  if (text.length <= most) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length + segment.length + ellipsis.length > most) break
    kept += segment
  }
  return kept.trimEnd() + ellipsis
}
