// The text of a page or an e-mail, and the texts of a language in it.

/** A value within a text. */
const MARK = '\u2603'

/** A phrase of this length does not occur in another language by chance. */
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

/** Any property or call of it is again a value that reads as the mark. */
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

/** To find them takes longer than to look for them in a page. */
const FOUND = new WeakMap<object, readonly string[]>()

/** All texts of a language: whole ones, and the pieces of those with values. */
export function textsIn(all: object): readonly string[] {
  const texts = FOUND.get(all) ?? [...new Set(Object.values(all).flatMap(piecesOf))]
  FOUND.set(all, texts)
  return texts
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

/** Each text with values under its name, with a mark for each value. */
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

/** Every text that a reader can see: of the page, of its attributes, and of its script. */
function saidOn(html: string): string {
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

/** The texts of one language that another lacks, and that are on the page. */
export function strangersOn(html: string, own: object, other: object): readonly string[] {
  const shown = saidOn(html)
  const lines = new Set(shown.split('\n').map((line) => line.trim()))
  const known = new Set(textsIn(own).map((text) => text.trim()))
  return textsIn(other)
    .map((text) => text.trim())
    .filter((text) => text !== '' && !known.has(text))
    .filter((text) => (text.length < LEAST_PHRASE ? lines.has(text) : shown.includes(text)))
}
