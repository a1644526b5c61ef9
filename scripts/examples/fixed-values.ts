// Replaces values that differ from run to run (ids, secrets, the time of day) with fixed ones, so
// that the same service makes the same examples.

/** Any instant between these two is the time of day of the run, and none of the account's clock. */
interface RunTime {
  readonly from: Date
  readonly until: Date
}

export interface Replacing {
  readonly time: RunTime
  /** Texts that are replaced wherever they occur. */
  readonly texts: Readonly<Record<string, string>>
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Ids of payment links, tokens of bills, and names that a provider gives. */
const HEX = /\b[0-9a-f]{32}\b/g
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const SECRET = /whsec_[A-Za-z0-9+/=]+/g

const FIXED_INSTANT = '2026-03-07T12:00:00.250Z'
const FIXED_SECRET = `whsec_${'A'.repeat(43)}=`
/** The duration of an attempt, and the rate limit: the examples' shop has a higher one. */
const FIXED_FIELDS = new Map([
  ['ms', 12],
  ['rate_limit_per_minute', 100],
])

export type Fix = (value: unknown) => unknown

/** Ids are numbered in the order in which they appear. */
export function fixedValues({ time, texts }: Replacing): Fix {
  const numbers = new Map<string, number>()
  const numberOf = (found: string) => {
    const known = numbers.get(found) ?? numbers.size + 1
    numbers.set(found, known)
    return known.toString(16)
  }
  const textOf = (text: string) => {
    if (INSTANT.test(text)) return isOfRun(time, text) ? FIXED_INSTANT : text
    const replaced = Object.entries(texts).reduce(
      (one, [from, to]) => one.replaceAll(from, to),
      text,
    )
    return replaced
      .replace(UUID, (id) => `01941f29-7c00-7000-8000-${numberOf(id).padStart(12, '0')}`)
      .replace(HEX, (id) => numberOf(id).padStart(32, '5b1f0c9be2a94c6f8d7e3a2b1c0d9e8f'))
      .replace(SECRET, FIXED_SECRET)
  }
  return function fix(value: unknown, field?: string): unknown {
    if (typeof value === 'string') return textOf(value)
    if (FIXED_FIELDS.has(field ?? '')) return FIXED_FIELDS.get(field ?? '')
    if (Array.isArray(value)) return value.map((one) => fix(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fix(one, name)]))
  } as Fix
}

function isOfRun({ from, until }: RunTime, text: string): boolean {
  const at = Date.parse(text)
  return at >= from.getTime() && at <= until.getTime()
}
