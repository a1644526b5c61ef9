// A method for each operation of the API, named by its operationId, over one way to call them all.

import type { CsvName, Operations } from './api.ts'
import type { Page, PaymentCallOptions } from './call-options.ts'
import { errorOf } from './errors.ts'
import { OPERATIONS, type OperationName } from './operations.ts'
import {
  type Input,
  keyIn,
  namesIn,
  objectIn,
  refuseEmpty,
  refuseLost,
  refuseLostKey,
  refuseUnknown,
} from './refuse-mistakes.ts'
import { isWanted, send } from './send.ts'

export interface ClientOptions {
  /** A secret key, `sk_sandbox_…` or `sk_live_…`: for servers only, never in a page. */
  readonly key: string
  /** The address of the service, such as https://pay.example.com. */
  readonly url: string
  /** For each attempt. 30 seconds by default; a charge waits for its gateway for up to 10. */
  readonly timeoutMs?: number
  /** Attempts after the first one that failed; 3 by default. */
  readonly maxRetries?: number
  /**
   * Called with the fields of the body that the service did not know, and headers that look like a
   * misspelt Idempotency-Key. Without it each such warning is on the console once.
   */
  readonly onIgnoredFields?: (operation: OperationName, names: readonly string[]) => void
  /** In place of the global one. */
  readonly fetch?: typeof fetch
}

/** The operations that return a page. */
type ListName = {
  [Name in OperationName]: Awaited<ReturnType<Operations[Name]>> extends Page<unknown>
    ? Name
    : never
}[OperationName]

type ItemOf<Name extends ListName> =
  Awaited<ReturnType<Operations[Name]>> extends Page<infer Item> ? Item : never

export interface Client extends Operations {
  /** Every row of a list, page by page: `for await (const one of client.each('listEvents'))`. */
  each<Name extends ListName>(
    name: Name,
    ...args: Parameters<Operations[Name]>
  ): AsyncGenerator<ItemOf<Name>, void, undefined>
  /** A whole list as CSV. */
  csv<Name extends CsvName>(name: Name, ...args: Parameters<Operations[Name]>): Promise<string>
}

interface Call {
  readonly method: string
  readonly path: string
  readonly takes: string | undefined
  readonly input: Input
  readonly options: PaymentCallOptions
}

const TIMEOUT_MS = 30_000
const MAX_RETRIES = 3
const MOST_PER_PAGE = 200

const SETTINGS = ['key', 'url', 'timeoutMs', 'maxRetries', 'onIgnoredFields', 'fetch']

const OPTIONS = ['signal', 'timeoutMs']

const LISTS = Object.entries(OPERATIONS)
  .filter(([, row]) => row.endsWith(' query'))
  .map(([name]) => name)

/** Nothing in it can change the path. */
const ID = /^[\w-]+$/

export function createClient(settings: ClientOptions): Client {
  if (!URL.canParse(settings.url)) {
    throw new TypeError('createClient needs a url, such as https://pay.example.com')
  }
  const key = keyIn(settings.key)
  refuseUnknown('createClient has no option', namesIn({ ...settings }), SETTINGS)
  const call = (name: OperationName, args: readonly unknown[]) =>
    request({ ...settings, key }, name, args)
  const names = Object.keys(OPERATIONS) as OperationName[]
  const methods = names.map((name) => [name, (...args: unknown[]) => call(name, args)])
  return {
    ...Object.fromEntries(methods),
    each: (name: ListName, ...args: unknown[]) =>
      eachOf(call, name, args, queryOf('each', name, args)),
    csv: async (name: CsvName, ...args: unknown[]) =>
      call(name, withQuery(name, args, { ...queryOf('csv', name, args), export: 'csv' })),
  }
}

async function* eachOf(
  call: (name: OperationName, args: readonly unknown[]) => Promise<unknown>,
  name: ListName,
  args: readonly unknown[],
  { page: begin = 1, per_page: size = MOST_PER_PAGE, ...query }: Input,
): AsyncGenerator {
  const first = Number(begin)
  // A row that was added meanwhile moves the others on by one: they come again.
  const seen = new Set<unknown>()
  let [page, total, goesOn] = [first, 0, true]
  for (;;) {
    const turned = withQuery(name, args, { limit: size, ...query, page })
    const answer = (await call(name, turned)) as Page<{ readonly id?: string }>
    const removed = total - answer.total
    total = answer.total
    if (removed > 0 && !goesOn) {
      // Rows that are gone, perhaps by the caller's hand, have moved others back to pages before.
      page = Math.max(first, page - Math.ceil(removed / answer.per_page))
      goesOn = true
      continue
    }
    const before = seen.size
    for (const item of answer.data) {
      if (seen.has(item.id)) continue
      if (item.id !== undefined) seen.add(item.id)
      yield item
    }
    if (page >= answer.last_page) return
    page += 1
    // Where rows come and go, a page is read again only as long as that finds some.
    goesOn = seen.size === before
  }
}

async function request(
  {
    key,
    url,
    timeoutMs = TIMEOUT_MS,
    maxRetries = MAX_RETRIES,
    onIgnoredFields = warnOnce,
    fetch = globalThis.fetch,
  }: ClientOptions,
  name: OperationName,
  args: readonly unknown[],
): Promise<unknown> {
  const { method, path, takes, input, options } = callOf(name, args)
  const headers: Record<string, string> = {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  }
  const isKeyed = takes === 'keyed'
  if (isKeyed && (input.idempotency_id ?? '') === '') {
    headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID()
  }
  if (options.respondAsync) headers.prefer = 'respond-async'
  const isQuery = takes === 'query'
  const hasBody = takes === 'body' || isKeyed
  const search = isQuery ? searchOf(input) : ''
  const body = hasBody ? { body: JSON.stringify(input) } : {}
  const init = { method, headers, redirect: 'error' as const, ...body }
  const answer = await send(`${url.replace(/\/+$/, '')}${path}${search}`, init, {
    fetch,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? timeoutMs,
    maxRetries,
    isRepeatable: method !== 'POST' || isKeyed,
  })
  const ignored = answer.headers.get('ignored-fields')
  if (ignored !== null) onIgnoredFields(name, ignored.split(', '))
  if (!isWanted(answer)) throw errorOf(answer)
  return answer.body
}

const warned = new Set<string>()

function warnOnce(operation: OperationName, names: readonly string[]): void {
  const warning = `Lamplighter ignored ${names.join(', ')} in ${operation}.`
  if (!warned.has(warning)) console.warn(warning)
  warned.add(warning)
}

/** Arguments are the id, the query or body, and the options, as far as the operation has them. */
function callOf(name: OperationName, args: readonly unknown[]): Call {
  const [method = '', path = '', takes, ...fields] = OPERATIONS[name].split(' ')
  const rest = [...args]
  const filled = path.replace(/\{(\w+)\}/g, () => {
    const id = rest.shift()
    if (typeof id === 'string' && ID.test(id)) return id
    throw new TypeError(`${name} needs an id as its first argument, not ${JSON.stringify(id)}.`)
  })
  const isQuery = takes === 'query'
  const input = takes === 'none' ? {} : objectIn(name, isQuery ? 'query' : 'body', rest.shift())
  const options = objectIn(name, 'options', rest.shift())
  if (rest.length > 0) throw new TypeError(`${name} takes no more than its options.`)
  refuseUnknown(`${name} has no option`, namesIn(options), optionsOf(takes))
  refuseLostKey(name, options)
  if (isQuery) refuseEmpty(name, input)
  else {
    refuseUnknown(`${name} has no field`, namesIn(input), fields)
    refuseLost(name, input)
  }
  return { method, path: filled, takes, input, options }
}

function optionsOf(takes: string | undefined): readonly string[] {
  return takes === 'keyed' ? [...OPTIONS, 'idempotencyKey', 'respondAsync'] : OPTIONS
}

/** The query of a list that is walked or written as CSV. */
function queryOf(
  method: 'each' | 'csv',
  name: ListName | CsvName,
  args: readonly unknown[],
): Input {
  refuseUnknown(`${method} has no list`, [name], LISTS)
  return callOf(name, args).input
}

function withQuery(
  name: OperationName,
  args: readonly unknown[],
  query: Input,
): readonly unknown[] {
  const at = OPERATIONS[name].includes('{') ? 1 : 0
  return [...args.slice(0, at), query, ...args.slice(at + 1)]
}

function searchOf(query: Input): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      search.append(name, one instanceof Date ? one.toISOString() : String(one))
    }
  }
  return search.size === 0 ? '' : `?${search}`
}
