// Says in words what is wrong with a value, without the terms of JSON Schema.

import { nearestName } from '../core/spelling.ts'
import type { Schema } from '../resource/json-schema.ts'

/** The parts of an Ajv error that are used. */
export interface Fault {
  readonly keyword?: string
  readonly instancePath?: string
  readonly message?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** `sent` is the body or the query as a whole. */
export function faultText(fault: Fault, schema: Schema, sent: unknown): string {
  const { keyword, message, params } = fault
  switch (keyword) {
    case 'required':
      return requiredFault(fault, schema, sent)
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

/** The names of a body are the caller's, and there may be as many as it holds. */
const MOST_COMPARED = 10
const MOST_NAMED = 3
const MOST_NAME_CHARACTERS = 64

/** An unknown field with nearly the name of the missing one was probably meant as it. */
function requiredFault({ instancePath, params }: Fault, schema: Schema, sent: unknown): string {
  const missing = String(params?.missingProperty)
  // In a body with two forms, `then` is the one that requires fields.
  const { properties = {} } = (schema.then ?? schema) as { readonly properties?: object }
  const isWhole = instancePath === '' && typeof sent === 'object' && sent !== null
  const unknown = isWhole
    ? Object.keys(sent).filter((name) => !Object.hasOwn(properties, name))
    : []
  const meant = unknown.slice(0, MOST_COMPARED).find((name) => nearestName(name, [missing]))
  if (meant !== undefined) return `is required: ${cutName(meant)} is not known`
  // `url` for `target_url`, in another API's words: only the author can tell.
  const others = unknown.slice(0, MOST_NAMED).map(cutName)
  return others.length === 0 ? 'is required' : `is required (not known: ${others.join(', ')})`
}

function cutName(name: string): string {
  return name.slice(0, MOST_NAME_CHARACTERS).toWellFormed()
}

/** The fault of an unknown field names the field that was probably meant. */
function unknownFieldFault(sent: string, schema: Schema): string {
  const known = namesOfUse(schema)
  const nearest = nearestName(sent, known)
  if (nearest !== undefined) return `is not known: did you mean ${nearest}?`
  return known.length === 0 ? 'is not known' : `is not known: use ${known.join(', ')}`
}

/** In a body with two forms, `else` is the one that takes no other fields. */
function namesOfUse(schema: Schema): readonly string[] {
  const { properties = {} } = (schema.else ?? schema) as {
    readonly properties?: Readonly<Record<string, Schema>>
  }
  // A query refuses the fields of a creation, so its hint must not lead to them.
  return Object.keys(properties).filter((name) => properties[name]?.['x-kind'] !== 'of_creation')
}
