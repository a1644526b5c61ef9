// A query as text by name. A parameter that is sent several times is a list, and so is
// `keywords[]=a&keywords[]=b`, because clients differ in how they write lists.

const LIST_MARK = /\[\d*\]$/

type Query = Record<string, string | string[]>

export function readQuery(text: string): Query {
  // Without a prototype, because a name may be `__proto__`.
  const query: Query = Object.create(null)
  if (text === '') return query
  for (const [name, value] of new URLSearchParams(text)) {
    const plain = name.replace(LIST_MARK, '')
    const known = query[plain]
    if (Array.isArray(known)) known.push(value)
    else if (known !== undefined) query[plain] = [known, value]
    else query[plain] = plain === name ? value : [value]
  }
  return query
}
