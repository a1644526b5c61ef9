// JSON as pages show it.

/** With more, a story of a hundred events would be a page of many megabytes. */
const MOST_INDENTED = 32 * 1024

/** Indented, unless the value is nested so deep that most of the text would be indentation. */
export function shownJson(value: unknown): string {
  const compact = JSON.stringify(value)
  return indentedLength(compact) > MOST_INDENTED ? compact : JSON.stringify(value, null, 2)
}

/** About the length of the same JSON with two spaces for each level, which need not be made. */
function indentedLength(compact: string): number {
  let length = compact.length
  let depth = 0
  // A text in quotes, as it may hold brackets, or a character after which a line begins or ends.
  for (const [part = ''] of compact.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]},]/g)) {
    if (part === '[' || part === '{') depth += 1
    if (part === ']' || part === '}') depth -= 1
    if (part.length === 1) length += 1 + 2 * depth
    if (length > MOST_INDENTED) return length
  }
  return length
}
