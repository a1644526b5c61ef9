// The dialect of a key: the form in which clients of another API of this kind read answers. It is
// applied to finished bodies, so nothing that writes them knows of it.
//
// A field is recognised by its name, which means the same in every resource: events and webhooks
// carry resources of any kind. A test compares these names with the schemas of all answers.

export const DIALECTS = ['standard', 'stax'] as const

export type Dialect = (typeof DIALECTS)[number]

/** Instants whose names do not end in `_at`. */
const OTHER_INSTANTS: ReadonlySet<string> = new Set([
  'at',
  'future_occurrences',
  'now',
  'respond_by',
  'target',
])

const NUMERIC_FLAGS: ReadonlySet<string> = new Set(['is_captured', 'is_default'])

/** They are a merchant's own and are returned as they were sent. */
const FREE: ReadonlySet<string> = new Set(['meta', 'link_meta'])

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/

export function isInstantName(name: string): boolean {
  return name.endsWith('_at') || OTHER_INSTANTS.has(name)
}

export function isFreeName(name: string): boolean {
  return FREE.has(name)
}

/** A body that is JSON text, in the dialect. `merchantId` is the id of the account. */
export function bodyInDialect(body: string, merchantId: string): string {
  return JSON.stringify(inDialect(JSON.parse(body), merchantId))
}

/**
 * Copies a value that will be written as JSON into the dialect. A merchant's own JSON is not
 * copied: it may be most of a page, and is never read here.
 */
export function inDialect(value: unknown, merchantId: string): unknown {
  if (Array.isArray(value)) return value.map((one) => inDialect(one, merchantId))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  // A clone keeps its shape; see `declareFields`.
  const shown: Record<string, unknown> = { ...value }
  for (const name of Object.keys(shown)) {
    if (isFreeName(name)) continue
    shown[name] = valueInDialect(name, inDialect(shown[name], merchantId))
  }
  return isResource(shown) ? { ...shown, merchant_id: merchantId, user_id: null } : shown
}

/** The envelope of a list and the team of a key have no such pair. */
function isResource({ id, created_at: createdAt }: Readonly<Record<string, unknown>>): boolean {
  return id !== undefined && createdAt !== undefined
}

/** The value of a field by its name; also of a column of a file, whose values are text. */
export function valueInDialect(name: string, value: unknown): unknown {
  if (isInstantName(name)) return instantInDialect(value)
  if (name === 'card_exp' && typeof value === 'string') return expiryInDialect(value)
  if (NUMERIC_FLAGS.has(name) && typeof value === 'boolean') return value ? 1 : 0
  return value
}

function instantInDialect(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(instantInDialect)
  if (value instanceof Date) return instantInDialect(value.toISOString())
  return typeof value === 'string' ? value.replace(INSTANT, '$1 $2') : value
}

/** Cards expire in this century: `1239` is December 2039. */
function expiryInDialect(expiry: string): string {
  return expiry.replace(/^(\d\d)(\d\d)$/, (_, month, year) => `${month}20${year}`)
}

const CELL = /("[^"]*(?:""[^"]*)*"|[^",\n]*)([,\n])/g

/** The lines of a CSV file, whose first line names its columns. Each piece has whole lines. */
export async function* fileInDialect(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  let names: readonly string[] | undefined
  for await (const piece of pieces) {
    names ??= piece.slice(0, piece.indexOf('\n')).split(',')
    yield linesInDialect(names, piece)
  }
}

function linesInDialect(names: readonly string[], lines: string): string {
  let at = 0
  return lines.replace(CELL, (_, cell: string, end: string) => {
    const shown = cellInDialect(names[at] ?? '', cell)
    at = end === '\n' ? 0 : at + 1
    return shown + end
  })
}

function cellInDialect(name: string, cell: string): unknown {
  const isFlag = NUMERIC_FLAGS.has(name) && (cell === 'true' || cell === 'false')
  return valueInDialect(name, isFlag ? cell === 'true' : cell)
}
