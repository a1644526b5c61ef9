// Says in words what is wrong with a value, without the terms of JSON Schema.

import type { Schema } from '../resource/json-schema.ts'

/** The parts of an Ajv error that are used. */
export interface Fault {
  readonly keyword?: string
  readonly instancePath?: string
  readonly message?: string
  readonly params?: Readonly<Record<string, unknown>>
}

export function faultText({ keyword, message, params }: Fault, schema: Schema): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return unknownFieldFault(String(params?.additionalProperty), schema)
    case 'type':
      return `must be ${typeNames(params?.type)}`
    case 'enum':
      return `must be ${oneOf([params?.allowedValues].flat().map(String))}`
    case 'minimum':
      return `must be at least ${params?.limit}`
    case 'maximum':
      return `must be at most ${params?.limit}`
    case 'minItems':
      return 'must not be empty'
    case 'maxItems':
      return `must have at most ${params?.limit} items`
    case 'minLength':
      return 'must not be empty'
    case 'maxLength':
      return `must be at most ${params?.limit} characters`
    default:
      return (message ?? 'is invalid').replace(/\bmust NOT\b/, 'must not')
  }
}

function oneOf(words: readonly string[]): string {
  // A flag in an address; `0` and `1` are accepted as well.
  if (words.includes('true')) return 'true or false'
  return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'text',
}

function typeNames(types: unknown): string {
  const names = Array.isArray(types) ? types : [types]
  return names.map((name) => TYPE_NAMES[String(name)] ?? String(name)).join(' or ')
}

/** Names with more differences, and short names, are not the same word misspelt. */
const MOST_SLIPS = 2
const LETTERS_A_SLIP = 3

/** No field of ours has a longer name. */
const MOST_CHARACTERS = 40

/** What is told of a field that is not known: the one that was probably meant. */
function unknownFieldFault(sent: string, schema: Schema): string {
  const known = Object.keys(closedFieldsOf(schema))
  const nearest = known
    .map((name) => ({ name, slips: slipsBetween(plain(sent), plain(name)) }))
    .sort((one, other) => one.slips - other.slips)[0]
  if (nearest !== undefined && nearest.slips <= mostSlips(sent)) {
    return `is not known: did you mean ${nearest.name}?`
  }
  return known.length === 0 ? 'is not known' : `is not known: use ${known.join(', ')}`
}

/** Of a body with two forms, the one that takes no other fields is its `else`. */
function closedFieldsOf(schema: Schema): object {
  const { properties } = (schema.else ?? schema) as { readonly properties?: object }
  return properties ?? {}
}

function mostSlips(sent: string): number {
  return Math.min(MOST_SLIPS, Math.floor(sent.length / LETTERS_A_SLIP))
}

/** Ignores how the words of a name are joined. */
function plain(name: string): string {
  return name
    .slice(0, MOST_CHARACTERS)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

/** Letters that were added, left out or replaced: the Levenshtein distance. */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const above = row
    row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const [left = 0, over = 0, corner = 0] = [row[j - 1], above[j], above[j - 1]]
      row.push(Math.min(left + 1, over + 1, corner + (isSame ? 0 : 1)))
    }
  }
  return row.at(-1) ?? 0
}
