// Text for a terminal: nothing in it can move the cursor, change colours or reorder the line, and
// its width is known in columns.

/** Characters that end a line or begin a command to the terminal. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

const BREAKS_IN_LINE = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}]/gu

/** Invisible characters, such as those that reverse the writing direction, and unassigned ones. */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu

/** One line, whatever a customer, a merchant or a provider wrote. */
export function oneLine(text: string): string {
  return text.replace(BREAKS, ' ').replace(INVISIBLE, '')
}

/** The same, but lines stay lines. */
export function plainLines(text: string): string {
  return text.replace(BREAKS_IN_LINE, ' ').replace(INVISIBLE, '')
}

/** Characters that JSON leaves as they are and that a terminal obeys or hides. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu

/** Readers of the JSON get the same text. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** Whole characters as a reader sees them: a letter with its accents is one. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const ASCII = /^[\x20-\x7e]*$/

const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u

/** East Asian characters take two columns, except for the halfwidth forms. */
const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u

/** Marks that stand over or under the character before them. */
const MARKS_ONLY = /^\p{M}+$/u

/** The columns that the text takes on a terminal. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOfOne(segment)
  return width
}

function widthOfOne(grapheme: string): number {
  if (MARKS_ONLY.test(grapheme)) return 0
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1
}

/** At most this many columns. A text that is cut ends in an ellipsis. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += widthOfOne(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}
