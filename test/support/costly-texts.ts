// Texts that take long to normalize or to look through, each of the given length.

/** Each mark belongs before the one in front of it, past all others. */
const unsorted = (length: number) =>
  `a${'\u0315'.repeat(Math.ceil(length / 2) - 1)}${'\u0300'.repeat(Math.floor(length / 2))}`

export const COSTLY_TEXTS: readonly (readonly [what: string, text: (length: number) => string])[] =
  [
    ['accents in the wrong order', unsorted],
    ['accents in turn', (length) => '\u0315\u0300'.repeat(length / 2)],
    ['ligatures of eighteen letters', (length) => '\ufdfa'.repeat(length)],
    ['digits of another script', (length) => '\u0669'.repeat(length)],
    ['digits with wide spaces', (length) => '4\u2003'.repeat(length / 2)],
  ]
