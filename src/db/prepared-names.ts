// Names for the statements of searches, by which a connection prepares a text when it first gets
// it. PostgreSQL reads and rewrites the text of a list longer than it looks for the rows.

/** How often a text comes before it is worth being kept. */
const OFTEN = 5

/**
 * Every connection keeps a prepared statement until its end. Callers combine filters as they like,
 * and the combinations of one caller are few.
 */
const MOST_NAMES = 100

/** Texts that may still come often. Beyond it all of them are counted anew. */
const MOST_COUNTED = 1_000

/** The function that finds the name of a text. Undefined if the text is not prepared. */
export function preparedNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return (text) => {
    const name = names.get(text)
    if (name !== undefined || names.size >= MOST_NAMES) return name
    if (counts.size >= MOST_COUNTED) counts.clear()
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    if (count >= OFTEN) names.set(text, `search ${names.size}`)
    return names.get(text)
  }
}
