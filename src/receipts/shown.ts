// Words of merchants and customers, fit to stand among ours: on one line, and unable to turn what
// stands beside them around.

/** Line breaks and other controls; and what would order the text after it, unless it is ended. */
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** Written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const ISOLATE = '\u2068'
const END_OF_ISOLATE = '\u2069'

/** The character of which a grapheme is one, whatever it is made of. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** For a header, or where nothing stands behind it. */
export function oneLine(text: string): string {
  return text.replace(UNSHOWABLE, ' ').replace(/\s+/g, ' ').trim()
}

/** For a line that holds more than this: an amount beside it stays where it is, and as it is. */
export function isolatedLine(text: string): string {
  const line = oneLine(text)
  return RIGHT_TO_LEFT.test(line) ? ISOLATE + line + END_OF_ISOLATE : line
}

/** Those that there are. */
export function sentences(...all: readonly (string | undefined)[]): string {
  return all.filter((one) => one !== undefined).join(' ')
}

/** No character is cut in two. */
export function shortened(text: string, most: number, ellipsis = '…'): string {
  if (text.length <= most) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length + segment.length + ellipsis.length > most) break
    kept += segment
  }
  return kept.trimEnd() + ellipsis
}
