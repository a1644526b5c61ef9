// Colours of a terminal, by their meaning.

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  good: [32, 39],
  odd: [33, 39],
  bad: [31, 39],
} as const

export type Paint = (colour: keyof typeof CODES, text: string) => string

export const plainPaint: Paint = (_colour, text) => text

export const colourPaint: Paint = (colour, text) => {
  const [begin, end] = CODES[colour]
  return text === '' ? text : `\u001b[${begin}m${text}\u001b[${end}m`
}
