// CSV files, read as a spreadsheet does.

/** Parses by RFC 4180. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const cells = text.replace(/^\u{feff}/u, '').matchAll(/("(?:[^"]|"")*"|[^,"\n]*)(,|\n|$)/g)
  const lines: string[][] = [[]]
  for (const [whole, cell = '', end] of cells) {
    if (whole === '') break
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\n') lines.push([])
  }
  return lines.slice(0, -1)
}

/** Each line by the names in the first line. */
export function recordsOf(text: string): readonly Readonly<Record<string, string | undefined>>[] {
  const [head = [], ...lines] = parseCsv(text)
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])))
}
