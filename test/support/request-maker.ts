// Requests for any operation of the document, right and wrong, each from its own number: the same
// seed, number and ids make the same request.

import { between, pick, type Random, seeded, shuffled } from '../chaos/random.ts'
import type { Named, Parameter, Schema } from './document.ts'
import { type IdOf, JSON_TEXTS, oddValue, rightValue } from './odd-values.ts'
import type { Sent } from './requests.ts'
import { routeTable } from './route-table.ts'
import type { Sample } from './samples.ts'
import { NOWHERE } from './webhooks.ts'

export interface MakerNeeds {
  readonly seed: number
  readonly operations: readonly Named[]
  readonly authorization: string
  /** The keys of accounts with fewer permissions. */
  readonly others: readonly string[]
  readonly idOf: IdOf
}

export interface MadeRequest {
  readonly named: Named
  readonly sent: Sent
}

/** A larger body is refused. */
const MIB = 1024 * 1024

const KEYS = ['', 'Bearer', 'Bearer x', 'Basic YTpi', `Bearer sk_sandbox_${'a'.repeat(43)}`]
const TYPES = ['text/plain', '', 'a/b;c', 'application/json; charset=x', 'application/xml']
const RAW = [
  '',
  '{',
  '[]',
  'null',
  '"a"',
  '0',
  'NaN',
  '{"a":1,"a":2}',
  '\ufeff{}',
  '{}{}',
  '\u0000',
]
const KEY_CHARACTERS = ['a', ' ', '!', '/', '"', 'a'.repeat(255), 'a'.repeat(256)]

/** All operations in turn. */
export function operationOf({ operations }: MakerNeeds, number: number): Named {
  return operations[number % operations.length] as Named
}

/** With an acceptable sample, the request differs from it in a few fields. */
export function makeRequest(needs: MakerNeeds, number: number, sample?: Sample): MadeRequest {
  const random = seeded(needs.seed * 1_000_003 + number)
  const named = operationOf(needs, number)
  const isOften = (share: number) => random() < share
  const strangers = [...needs.others, pick(random, KEYS)]
  const authorization = isOften(0.94)
    ? (sample?.whose.headers ?? needs).authorization
    : pick(random, strangers)
  const headers: Record<string, string> = { authorization }
  if (isOften(0.3)) headers.prefer = 'respond-async'
  if (isOften(0.1)) headers['x-request-id'] = pick(random, KEY_CHARACTERS)
  if (isOften(0.1)) headers['idempotency-key'] = keyOf(random)
  const path = sample?.url ?? pathOf(random, needs, named)
  const url = `${path}${queryOf(random, needs, named)}`
  const payload = bodyOf(random, needs, named, sample?.body)
  if (payload === undefined) return { named, sent: { method: named.method, url, headers } }
  headers['content-type'] = isOften(0.97) ? 'application/json' : pick(random, TYPES)
  return { named, sent: { method: named.method, url, headers, payload } }
}

function keyOf(random: Random): string {
  return Array.from({ length: between(random, 1, 3) }, () => pick(random, KEY_CHARACTERS)).join('')
}

/** The table of routes says which kind of resource the id of a path names. */
const KINDS = new Map(routeTable.map(({ route, kind }) => [route, kind ?? '']))

function pathOf(random: Random, { idOf }: MakerNeeds, { route, path }: Named): string {
  if (!path.includes('{')) return path
  const kind = KINDS.get(route) ?? ''
  const id = random() < 0.9 ? idOf(random, kind) : oddValue(random, 'id', ID, idOf)
  return path.replace(/\{\w+\}/, encodeURIComponent(named(textOf(id))))
}

const ID: Schema = { 'x-kind': 'id' }

/** A path without a name, or with dots in its place, is another path. */
function named(id: string): string {
  return ['', '.', '..'].includes(id) ? 'x' : id.slice(0, 300).toWellFormed()
}

function queryOf(random: Random, { idOf }: MakerNeeds, { operation }: Named): string {
  const known = (operation.parameters ?? []).filter((one) => one.in === 'query')
  const count = known.length === 0 ? 0 : between(random, 0, 3)
  const chosen = shuffled(random, known).slice(0, count)
  const pairs = chosen.flatMap(({ name, schema }: Parameter) => {
    const value = (random() < 0.7 ? rightValue : oddValue)(random, name, schema, idOf)
    const values = Array.isArray(value) ? value : [value]
    return values.map((one) => [name, textOf(one)] as [string, string])
  })
  if (random() < 0.03) pairs.push(['misspelt', '1'])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Some values have no text. */
function textOf(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.toWellFormed()
}

function bodyOf(
  random: Random,
  needs: MakerNeeds,
  { operation }: Named,
  sample: Sample['body'],
): string | undefined {
  const media = operation.requestBody?.content['application/json']
  if (media === undefined) return random() < 0.97 ? undefined : pick(random, RAW)
  const way = random()
  if (way < 0.02) return pick(random, RAW)
  if (way < 0.03) return pick(random, JSON_TEXTS)
  if (way < 0.032) return `"${'a'.repeat(MIB)}"`
  const base = sample ?? exampleWithIds(random, needs, media.example ?? {})
  const body = fieldsOf(random, needs, media.schema, base)
  const text = JSON.stringify(body)
  if (way < 0.05) return text.slice(0, between(random, 0, text.length))
  if (way > 0.15) return text
  const name = pick(random, [...Object.keys(body), 'a'])
  const others = JSON.stringify({ ...body, [name]: undefined }).slice(1, -1)
  const field = `${JSON.stringify(name)}:${pick(random, JSON_TEXTS)}`
  return `{${[others, field].filter((part) => part !== '').join(',')}}`
}

function exampleWithIds(
  random: Random,
  { idOf }: MakerNeeds,
  example: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(example).map(([name, value]) => [
    name,
    /_id$/.test(name) ? idOf(random, name.replace(/_id$/, '')) : value,
  ])
  return Object.fromEntries(entries)
}

/** A third is unchanged; others have up to three more fields, and as many odd ones. */
function fieldsOf(
  random: Random,
  { idOf }: MakerNeeds,
  schema: Schema,
  base: Readonly<Record<string, unknown>>,
): object {
  const properties = propertiesOf(random, schema)
  const names = Object.keys(properties)
  const body: Record<string, unknown> = { ...base }
  const put = (make: typeof rightValue) => {
    for (const name of shuffled(random, names).slice(0, between(random, 0, 3))) {
      body[name] = make(random, name, properties[name] ?? {}, idOf)
    }
  }
  const way = random()
  if (way > 0.3) put(rightValue)
  // No name server and no foreign host may be contacted.
  if ('target_url' in body) body.target_url = NOWHERE
  if ('since' in body) body.since = new Date().toISOString()
  if (way < 0.5) return body
  put(oddValue)
  if (random() < 0.2) delete body[pick(random, [...Object.keys(body), 'a'])]
  if (random() < 0.05) body[pick(random, ['a', '__proto__', 'amuont', 'ID'])] = 1
  return body
}

interface Branches {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
}

function propertiesOf(random: Random, schema: Schema): Readonly<Record<string, Schema>> {
  const { properties, anyOf = [] } = schema as Branches
  if (properties !== undefined) return properties
  return anyOf.length === 0 ? {} : propertiesOf(random, pick(random, anyOf))
}
