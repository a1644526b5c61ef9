// For every operation of the OpenAPI document: expensive values in its body and in its query, made
// from its own schemas, so that a new operation or field is tried without being named here.

import type { Document, Method, Parameter, Schema } from '../support/document.ts'
import { operationsOf } from '../support/document.ts'
import type { HostileRequest } from './ask.ts'
import { INSTANTS, ZONES } from './costly-requests.ts'
import type { Ids } from './hostile-setup.ts'

export interface Generated {
  readonly route: string
  readonly requests: (ids: Ids) => readonly HostileRequest[]
}

/** Nearly as many characters as a body may hold, for all of its fields together. */
const BODY_CHARACTERS = 1_000_000

const QUERY_CHARACTERS = 12_000

/** Each field gets one wild value in so many, and the next field gets the ones beside them. */
const STRIDE = process.env.HOSTILE_ALL === 'true' ? 1 : 7

/** A generated instant would move the clock for good: it has rows of its own. */
const LEFT_OUT = ['/sandbox/clock', '/metrics', '/healthz']

/** The resource whose id a path contains, by the beginning of the path; the first match counts. */
const IN_PATHS: readonly (readonly [start: string, of: keyof Ids])[] = [
  ['/invoice/schedule/', 'schedule'],
  ['/invoice/', 'invoice'],
  ['/item/', 'item'],
  ['/customer/', 'customer'],
  ['/payment-method/', 'card'],
  ['/transaction/', 'transaction'],
  ['/batch/', 'batch'],
  ['/webhook/', 'webhook'],
  ['/query/payment-links/', 'link'],
  ['/pay/', 'link'],
]

/** Short texts and numbers that a field may misunderstand. */
const WILD_TEXTS: readonly string[] = [
  '0',
  '-1',
  '1e308',
  '99999999999999999999999999',
  '0.001',
  '99999999.99',
  '100000000',
  '٣',
  '１２',
  '%',
  '_',
  '\\',
  "';--",
  '\u0000',
  '\ud800',
  '\u202e',
  '{}',
  '[]',
  'null',
  'true',
  '__proto__',
  'constructor',
  'a@example.com',
  '<a@example.com>',
  ...INSTANTS.slice(0, 20),
  ...ZONES.slice(0, 14),
]

const WILD_VALUES: readonly unknown[] = [
  ...WILD_TEXTS,
  0,
  -1,
  -0,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 31,
  1e-7,
  true,
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: { a: {} } },
  { toString: 1 },
  { valueOf: 1, toString: null },
  [{ toString: 1 }],
]

/** The parts of long texts: each is expensive for some pattern. */
const PARTS = ['a', ' ', '1', '4111111111111111 ', 'a@', '.', '%', '\\', '€', '<a>', '\n', '-', '/']

export function generatedRequests(document: Document): readonly Generated[] {
  return operationsOf(document)
    .filter(({ method, path }) => method !== 'DELETE' && !LEFT_OUT.includes(path))
    .map(({ route, method, path, operation }) => ({
      route,
      requests: (ids: Ids) => {
        const place = placed(path, ids)
        const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query')
        const content = operation.requestBody?.content['application/json']
        return [
          ...queriesOf(place, method, parameters),
          ...(content === undefined ? [] : bodiesOf(place, method, content, document, ids)),
        ]
      },
    }))
    .filter(({ requests }) => requests(NO_IDS).length > 0)
}

const NO_IDS: Ids = {
  customer: '',
  card: '',
  transaction: '',
  link: '',
  schedule: '',
  invoice: '',
  item: '',
  batch: '',
  webhook: '',
}

function placed(path: string, ids: Ids): string {
  const found = IN_PATHS.find(([start]) => path.startsWith(`${start}{`))
  return path.replace(/\{\w+\}/, found === undefined ? '' : ids[found[1]])
}

function queriesOf(
  place: string,
  method: Method,
  parameters: readonly Parameter[],
): HostileRequest[] {
  if (method !== 'GET') return []
  const asked = (name: string, text: string) => ({
    path: `${place}?${name}=${encodeURIComponent(text)}`,
  })
  return parameters.flatMap(({ name }, i) => [
    ...someOf(WILD_TEXTS, i)
      .map(wellFormed)
      .map((text) => asked(name, text)),
    ...['a', '%', '9', '-'].map((part) => asked(name, part.repeat(QUERY_CHARACTERS / 3))),
    { path: `${place}?${`${name}=1&`.repeat(QUERY_CHARACTERS / (name.length + 3))}` },
  ])
}

/** Every other field gets a long list, and the fields between them a long text. */
function bigValues(which: number): readonly unknown[] {
  const big = [() => Array.from({ length: 100_000 }, () => 0), () => 'a1 '.repeat(100_000)]
  return big.filter((_, i) => STRIDE === 1 || i === which % 2).map((make) => make())
}

function someOf<T>(values: readonly T[], which: number): readonly T[] {
  return values.filter((_, i) => (i + which) % STRIDE === 0)
}

/** An address cannot hold half of a surrogate pair. */
function wellFormed(text: string): string {
  return text.replace('\ud800', '\ufffd')
}

function bodiesOf(
  place: string,
  method: Method,
  { schema, example = {} }: { readonly schema: Schema; readonly example?: object },
  document: Document,
  ids: Ids,
): HostileRequest[] {
  const names = Object.keys(propertiesOf(schema, document))
  const sent = (body: object | string): HostileRequest => ({ method, path: place, body })
  const usual = { ...example, ...idsFor(names, ids) }
  const each = BODY_CHARACTERS / Math.max(1, names.length)
  const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
  return [
    ...names.flatMap((name, i) =>
      someOf(WILD_VALUES, i).map((value) => sent({ ...usual, [name]: value })),
    ),
    ...names.flatMap((name, i) => bigValues(i).map((value) => sent({ ...usual, [name]: value }))),
    ...PARTS.map((part) => sent(all(part.repeat(each / Buffer.byteLength(part) / 2)))),
    sent(all(Array.from({ length: each / 3 }, () => ({})))),
    sent(`[${'{},'.repeat(300_000)}{}]`),
    sent(`${'{"meta":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  ]
}

function propertiesOf(schema: Schema, document: Document): object {
  const {
    $ref,
    properties,
    anyOf = [],
  } = schema as {
    readonly $ref?: string
    readonly properties?: object
    readonly anyOf?: readonly Schema[]
  }
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? ''
    return propertiesOf(document.components.schemas[name] ?? {}, document)
  }
  return Object.assign({}, properties, ...anyOf.map((form) => propertiesOf(form, document)))
}

/** Valid ids, so that a body is wrong in one field only. */
function idsFor(names: readonly string[], ids: Ids): object {
  const known = { customer_id: ids.customer, payment_method_id: ids.card }
  return Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name)))
}
