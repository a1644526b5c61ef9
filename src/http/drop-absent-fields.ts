// Removes null and empty optional text, so that they mean the same as an absent field. This happens
// before validation, so no route needs to know it.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Schema } from '../resource/json-schema.ts'

/** These must not be left empty: a request that names nothing must not affect everything. */
const ID_KINDS: readonly unknown[] = ['id', 'link_id', 'resource_id']

const TEXT_TYPES: readonly unknown[] = ['string', 'array', 'null']

interface Fields extends Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly if?: { readonly required: readonly string[] }
  readonly then?: Fields
  readonly else?: Fields
}

type Input = Record<string, unknown>

export function dropAbsentFields(app: FastifyInstance): void {
  app.addHook('preValidation', async (request: FastifyRequest) => {
    const { body, querystring } = request.routeOptions.schema ?? {}
    drop(body as Fields | undefined, request.body)
    drop(querystring as Fields | undefined, request.query)
  })
}

function drop(schema: Fields | undefined, input: unknown): void {
  if (schema === undefined || !isObject(input)) return
  const { properties = {}, required = [] } = branchOf(schema, input)
  for (const [name, field] of Object.entries(properties)) {
    if (!Object.hasOwn(input, name)) continue
    const value = input[name]
    const isAbsent =
      value === null ||
      (value === '' && !required.includes(name) && isText(field)) ||
      isNamedAbsent(field, value)
    if (isAbsent) delete input[name]
    else if (Array.isArray(value)) dropOfItems(field, value)
  }
}

/** The fields of a body that are read. Undefined if its schema names none, or refuses all others. */
export function knownFields(schema: unknown, input: unknown): Input | undefined {
  if (schema === undefined || !isObject(input)) return undefined
  const { properties, additionalProperties } = branchOf(schema as Fields, input)
  return additionalProperties === false ? undefined : properties
}

/** The branch of a body that has two forms. */
function branchOf(schema: Fields, input: Input): Fields {
  if (schema.if === undefined) return schema
  const isThen = schema.if.required.every((name) => (input[name] ?? null) !== null)
  const [branch = {}, other = {}] = isThen ? [schema.then, schema.else] : [schema.else, schema.then]
  // A field of the other form that holds nothing is as absent as one of its own.
  return { ...branch, properties: { ...other.properties, ...branch.properties } }
}

function dropOfItems(field: Schema, items: unknown[]): void {
  const { maxItems, items: each } = field
  // One item too many is refused in any case, so the rest is not read.
  if (typeof maxItems === 'number' && items.length > maxItems) items.length = maxItems + 1
  for (const item of items) drop(each as Fields | undefined, item)
}

function isText(field: Schema): boolean {
  if (field['x-kind'] === 'fixed') return true
  const types = [field.type].flat()
  return types.every((type) => TEXT_TYPES.includes(type)) && !ID_KINDS.includes(field['x-kind'])
}

/** A word that means the same as no filter. */
function isNamedAbsent(field: Schema, value: unknown): boolean {
  return field['x-absent'] !== undefined && field['x-absent'] === value
}

function isObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
