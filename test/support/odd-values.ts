// Values for a field, made from its schema: right ones, nearly right ones and wrong ones.

import fc from 'fast-check'
import { between, pick, type Random } from '../chaos/random.ts'
import type { Schema } from './document.ts'
import { json, text } from './junk.ts'

/** Chooses an id for the kind of resource that it names. */
export type IdOf = (random: Random, kind: string) => string

/** JSON texts: among them numbers that no JavaScript value has, and the deepest nesting. */
export const JSON_TEXTS: readonly string[] = fc.sample(json, { numRuns: 300, seed: 7 })

const TEXTS = fc.sample(text, { numRuns: 300, seed: 7 })

const INSTANTS: readonly string[] = [
  '2026-03-07',
  '2026-03-07 12:00:00',
  '2026-03-07T12:00:00Z',
  '2026-02-30',
  '2026-03-08T02:30:00',
  '0000-01-01',
  '9999-12-31T23:59:59.999Z',
  '-271821-04-20',
  '12:00',
]

const NUMBERS: readonly unknown[] = [
  ...[0, -0, 1, -1, 0.1, 0.001, 12.505, 99_999_999.99, 100_000_000, 2 ** 31, 2 ** 53, 1e21],
  ...['12.50', '0.01', '-1', '1e3', '1,000.00', '$5', ' 5', '٣', '0x10', '4111 1111 1111 1111'],
]

const SHAPES: readonly unknown[] = [
  ...[null, '', ' ', true, false, [], {}, [[]], [null], [{}], ['a', 'a'], { a: { a: {} } }],
  ...[{ toString: 1 }, { length: 1 }, JSON.parse('{"__proto__":{"a":1},"then":1}')],
]

const ADDRESSES: readonly string[] = [
  ...['a@example.com', 'a@b', '"a b"@example.com', 'a@example.com\r\nBcc: b@example.com'],
  ...[
    '+12025550123',
    '2025550123',
    '+1',
    '00000000000',
    'https://127.0.0.1:9/a',
    'http://[::1]:9/',
  ],
  ...['ftp://a', 'javascript:alert(1)', 'https://user:secret@127.0.0.1/', 'http://127.0.0.1:9/#a'],
]

const ZONES = ['UTC', 'America/New_York', 'Mars/Olympus', 'EST5EDT', 'Etc/GMT+12']

const RULES: readonly string[] = [
  ...['FREQ=DAILY', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=31', 'FREQ=YEARLY;COUNT=2', 'FREQ=SECONDLY'],
  ...['FREQ=MINUTELY;INTERVAL=1', 'FREQ=DAILY;COUNT=0', 'FREQ=WEEKLY;BYDAY=XX', 'FREQ=', ';;'],
  ...['DTSTART:20260307T090000\nRRULE:FREQ=DAILY', 'FREQ=DAILY;UNTIL=20200101', 'FREQ=HOURLY'],
]

const ANY: readonly (readonly unknown[])[] = [
  ...[TEXTS, TEXTS, INSTANTS, NUMBERS, SHAPES, ADDRESSES, ZONES, RULES],
]

/** Accepted most of the time. */
export function rightValue(random: Random, name: string, schema: Schema, idOf: IdOf): unknown {
  const { examples, enum: choices, items, anyOf, properties } = schema as Fields
  const kind = schema['x-kind']
  if (kind === 'id' || kind === 'link_id' || kind === 'resource_id') {
    return idOf(random, kind === 'link_id' ? 'payment_link' : name.replace(/_id$/, ''))
  }
  if (examples !== undefined && random() < 0.7) return pick(random, examples)
  if (choices !== undefined) return pick(random, choices)
  if (anyOf?.[0] !== undefined) return rightValue(random, name, anyOf[0], idOf)
  if (items !== undefined) {
    return Array.from({ length: between(random, 1, 2) }, () =>
      rightValue(random, name, items, idOf),
    )
  }
  if (properties !== undefined) return rightFields(random, properties, idOf)
  const right = RIGHT[String(kind)] ?? RIGHT[String([schema.type].flat()[0])] ?? ['a']
  return pick(random, right)
}

const RIGHT: Readonly<Record<string, readonly unknown[]>> = {
  money: [1, '2.50', 12.5],
  flag: [true, false, 0, '1'],
  meta: [{}, { a: [1, { b: 'c' }] }],
  instant: INSTANTS.slice(0, 3),
  phone: ['+12025550123'],
  web_address: ['https://shop.example.com/'],
  order: ['ASC', 'desc'],
  text: ['Ada', 'América', '🕯', 'a'.repeat(255)],
  integer: [1, 2, 50],
  number: [1, 0.5],
  boolean: [true, false],
  object: [{}],
}

function rightFields(
  random: Random,
  properties: Readonly<Record<string, Schema>>,
  idOf: IdOf,
): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    rightValue(random, name, schema, idOf),
  ])
  return Object.fromEntries(entries)
}

/** A value at a limit of the schema, of another type, or of any kind. */
export function oddValue(random: Random, name: string, schema: Schema, idOf: IdOf): unknown {
  const right = rightValue(random, name, schema, idOf)
  const edges = edgesOf(schema)
  const turned = [String(right), [right], { [name]: right }, JSON.stringify(right), null]
  const way = random()
  if (way < 0.3 && edges.length > 0) return pick(random, edges)
  if (way < 0.5) return pick(random, turned)
  if (way < 0.6) return idOf(random, pick(random, ['customer', 'transaction', 'payment_link']))
  return pick(random, pick(random, ANY))
}

interface Fields {
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

function edgesOf(schema: Schema): readonly unknown[] {
  const { minimum, maximum, maxLength, maxItems, enum: choices = [] } = schema as Bounds
  return [
    ...[minimum, maximum].flatMap((end) => (end === undefined ? [] : [end - 1, end, end + 1])),
    ...(maxLength === undefined ? [] : ['a'.repeat(maxLength), 'é'.repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => 'a')]),
    ...choices.flatMap((one) => [String(one).toUpperCase(), `${one} `]),
  ]
}

interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly enum?: readonly unknown[]
}
