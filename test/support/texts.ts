// What a page or a letter says, and which texts of a language are in it.

/** A value within a text. */
const MARK = '\u2603'

/** As long as a phrase that another language would not have by chance. */
const LEAST_PHRASE = 12

type Text = (...values: readonly unknown[]) => unknown

/** Parts of sentences that may be missing. */
const OPTIONAL = new Set<unknown>([
  'captured',
  'due',
  'isTaking',
  'origin',
  'paidOn',
  'refunded',
  'retryOn',
  'shortDue',
  'whole',
])

/** Whatever is asked of it, it is a value that reads as the mark. */
const VALUE: unknown = valueWhere(() => true)
const LEAST_VALUE: unknown = valueWhere((name) => !OPTIONAL.has(name))

function valueWhere(isThere: (name: string | symbol) => boolean): unknown {
  const value: unknown = new Proxy(() => value, {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return () => MARK
      return isThere(name) ? value : undefined
    },
  })
  return value
}

/** All texts of a language: the whole ones, and the pieces of those with values. */
export function textsIn(all: object): readonly string[] {
  return [...new Set(Object.values(all).flatMap(piecesOf))]
}

function piecesOf(one: unknown): readonly string[] {
  if (one === VALUE || one === LEAST_VALUE) return []
  if (typeof one === 'string') return one.split(MARK)
  if (Array.isArray(one)) return one.flatMap(piecesOf)
  if (typeof one === 'function') {
    const text = one as Text
    return [VALUE, LEAST_VALUE].flatMap((value) => piecesOf(said(text, value)))
  }
  return typeof one === 'object' && one !== null ? textsIn(one) : []
}

function said(text: Text, value: unknown): unknown {
  return text(...Array(text.length).fill(value))
}

/** Each text with values by its name, with a mark for each value. */
export function textsWithValues(all: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(all).flatMap(([name, one]) => {
    const place = path === '' ? name : `${path}.${name}`
    if (typeof one === 'function') return [[place, flat(said(one as Text, VALUE))] as const]
    return typeof one === 'object' && one !== null ? textsWithValues(one, place) : []
  })
}

function flat(one: unknown): string {
  if (one === VALUE) return MARK
  if (typeof one === 'string') return one.replace(/\u2603+/g, MARK)
  return Object.values(one as object)
    .map(flat)
    .join('')
}

/** What a reader of the page, of its attributes or of its script's texts can come upon. */
export function saidOn(html: string): string {
  return html
    .replace(/ (?:href|action|src|content|id|class|for|name)="[^"]*"/g, '')
    .replace(/<[^>]*>/g, (tag) => {
      const values = [...tag.matchAll(/="([^"]*)"/g)].map(([, value]) => value)
      return `\n${values.join('\n')}\n`
    })
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}

/** The texts of one language that another has not, and that are on the page. */
export function strangersOn(html: string, own: object, other: object): readonly string[] {
  const shown = saidOn(html)
  const lines = new Set(shown.split('\n').map((line) => line.trim()))
  const known = new Set(textsIn(own).map((text) => text.trim()))
  return textsIn(other)
    .map((text) => text.trim())
    .filter((text) => text !== '' && !known.has(text))
    .filter((text) => (text.length < LEAST_PHRASE ? lines.has(text) : shown.includes(text)))
}
