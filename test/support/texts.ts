// What a page or a letter says, and which texts of a language are in it.

/** A value within a text. */
const MARK = '\u2603'

/** As long as a phrase that another language would not have by chance. */
const LEAST_PHRASE = 12

type Said = string | { readonly [name: string]: unknown }

type Text = (...values: readonly unknown[]) => Said

/** All texts of a language: the whole ones, and the pieces of those with values. */
export function textsIn(all: object): readonly string[] {
  return Object.values(all).flatMap((one) => piecesOf(one))
}

function piecesOf(one: unknown): readonly string[] {
  if (typeof one === 'string') return [one]
  if (Array.isArray(one)) return one.flatMap(piecesOf)
  if (typeof one === 'function')
    return piecesOf(said(one as Text)).flatMap((text) => text.split(MARK))
  return typeof one === 'object' && one !== null ? textsIn(one) : []
}

/** With a mark for each value. */
function said(text: Text): Said {
  return text(...Array(text.length).fill(MARK))
}

/** Each text with values, with a mark for each value. */
export function textsWithValues(all: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(all).flatMap(([name, one]) => {
    const place = path === '' ? name : `${path}.${name}`
    if (typeof one === 'function') {
      const shown = piecesOfMarked(said(one as Text))
      return [[place, shown] as const]
    }
    return typeof one === 'object' && one !== null ? textsWithValues(one, place) : []
  })
}

function piecesOfMarked(one: Said): string {
  if (typeof one === 'string') return one
  return Object.values(one)
    .map((part) => piecesOfMarked(part as Said))
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
