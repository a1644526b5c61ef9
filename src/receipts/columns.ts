// Plain text in columns. Widths are counted in what is seen: what sets the direction of a text
// is not.

const UNSEEN = /[\u2068\u2069]/g

export function wrapped(text: string, width: number): string {
  return linesOf(text, width).join('\n')
}

/** All lines begin that far to the right. */
export function indented(text: string, by: number, width: number): string {
  const margin = ' '.repeat(by)
  return linesOf(text, width - by)
    .map((line) => margin + line)
    .join('\n')
}

/** The value stands at the end of the last line, or of one more where there is no room for it. */
export function alignedRight(text: string, value: string, width: number): string {
  if (value === '') return wrapped(text, width)
  const lines = linesOf(text, Math.max(10, width - widthOf(value) - 2))
  const last = lines.pop() ?? ''
  const gap = ' '.repeat(Math.max(2, width - widthOf(last) - widthOf(value)))
  return [...lines, last + gap + value].join('\n')
}

export function block(...lines: readonly string[]): string {
  return lines.join('\n')
}

function linesOf(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((word) => piecesOf(word, width))) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

/** A word that no line could hold is cut. */
function piecesOf(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const characters = [...word]
  const count = Math.ceil(characters.length / width)
  return Array.from({ length: count }, (_, i) =>
    characters.slice(i * width, (i + 1) * width).join(''),
  )
}

function widthOf(text: string): number {
  return [...text.replace(UNSEEN, '')].length
}
