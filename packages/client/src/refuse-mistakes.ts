// Mistakes in a call are refused before anything is sent.

export type Input = Readonly<Record<string, unknown>>

/** The characters that a header takes as they are. */
const VISIBLE = /^[\x21-\x7e]+$/

/**
 * The key without the line end of its file. The error of fetch would quote a wrong one whole, and
 * say that there was no answer.
 */
export function keyIn(given: unknown): string {
  const key = typeof given === 'string' ? given.trim() : ''
  if (VISIBLE.test(key)) return key
  throw new TypeError('createClient needs a key, such as sk_sandbox_…')
}

/** What a list, a Map, a Promise or a class holds would be lost: it is not in fields of its own. */
export function objectIn(operation: string, what: string, given: unknown): Input {
  const value = given ?? {}
  if (isPlain(value)) return value
  throw new TypeError(`${operation} needs a plain object as its ${what}.`)
}

function isPlain(value: unknown): value is Input {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** A refund of no amount is a whole one, and a change to empty metadata erases what was there. */
export function refuseLost(operation: string, body: Input): void {
  for (const [name, value] of Object.entries(body)) {
    if (!isLost(value)) continue
    throw new TypeError(`${operation} got no value for ${name}: leave it out, or give a value.`)
  }
}

/** JSON leaves it out, makes null of it, or an empty object, as of a Promise or a Map. */
function isLost(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value === 'object') return !isPlain(value) && JSON.stringify(value) === '{}'
  return ['undefined', 'function', 'symbol'].includes(typeof value)
}

/** A key that is lost lets a repeat charge twice. */
export function refuseLostKey(operation: string, options: Input): void {
  const { idempotencyKey: key } = options
  if (!Object.hasOwn(options, 'idempotencyKey') || (typeof key === 'string' && key !== '')) return
  throw new TypeError(`${operation} needs a text as its idempotencyKey: leave it out, or give one.`)
}

/** A filter that sends nothing would select everything. */
export function refuseEmpty(operation: string, query: Input): void {
  for (const [name, value] of Object.entries(query)) {
    const values = [value].flat()
    if (values.length > 0 && values.every((one) => (one ?? '') !== '')) continue
    throw new TypeError(`${operation} got no value for ${name}: leave it out, or give a value.`)
  }
}

/** JSON has no undefined, so a field that is undefined is not sent. */
export function namesIn(input: Input): readonly string[] {
  return Object.keys(input).filter((name) => input[name] !== undefined)
}

/** `createCharge has no field preauth: did you mean pre_auth?` */
export function refuseUnknown(
  said: string,
  names: readonly string[],
  known: readonly string[],
): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest = nearestOf(unknown, known)
  const hint = nearest === undefined ? `it has ${known.join(', ')}.` : `did you mean ${nearest}?`
  throw new TypeError(`${said} ${unknown}: ${hint}`)
}

/** Two names are near if at least half of their pairs of neighbouring letters are the same. */
const NEAR = 0.5

function nearestOf(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((one) => ({ one, likeness: likenessOf(pairsOf(name), pairsOf(one)) }))
    .filter(({ likeness }) => likeness >= NEAR)
    .sort((a, b) => b.likeness - a.likeness)
  return nearest?.one
}

function likenessOf(pairs: readonly string[], others: readonly string[]): number {
  const shared = pairs.filter((pair) => others.includes(pair)).length
  return (2 * shared) / (pairs.length + others.length)
}

/** `pre_auth`, `preAuth` and `preauth` have the same. */
function pairsOf(name: string): readonly string[] {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return [...letters.slice(1)].map((letter, at) => letters[at] + letter)
}
