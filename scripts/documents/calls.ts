// The operations of the document as calls of a client: an id, one input and one answer each. The
// types and tables of both clients are made of this.

import { capitalized } from '../../src/core/sentence.ts'
import type { ApiDocument, Operation, Schema } from './service-document.ts'

/** `keyed`: a body that may be sent again, since it takes an idempotency key. */
type Takes = 'none' | 'query' | 'body' | 'keyed'

export type Returns =
  | { readonly kind: 'text' }
  | { readonly kind: 'one' | 'array' | 'page'; readonly type: string }

export interface Call {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly hasId: boolean
  readonly takes: Takes
  /** The name of the type of the query or the body, and whether the call must have one. */
  readonly input?: { readonly type: string; readonly isRequired: boolean }
  /** The names that its body may have at its top: its own, and those of the record that it changes. */
  readonly fields: readonly string[]
  readonly isAsync: boolean
  readonly hasCsv: boolean
  readonly returns: Returns
}

export interface Calls {
  readonly calls: readonly Call[]
  /** All named types: those of the document, and those of the calls. */
  readonly types: Readonly<Record<string, Schema>>
  /** The names of the events, each with the type of its body. */
  readonly events: readonly (readonly [name: string, type: string])[]
}

type Named = Record<string, Schema>

const JSON_TYPE = 'application/json'
const REFERENCE = '#/components/schemas/'

/** `Error` is a name that every language has already. */
const NAMES: Readonly<Record<string, string>> = { Error: 'ErrorBody' }

export function callsOf(document: ApiDocument): Calls {
  const types: Named = {}
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    types[NAMES[name] ?? name] = schema
  }
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => callOf(types, path, method, operation)),
  )
  const events = Object.entries(document.webhooks).map(([name, { post }]) => {
    const schema = post.requestBody?.content[JSON_TYPE]?.schema ?? {}
    return [name, nameOf(types, schema, `${capitalized(post.operationId)}Event`)] as const
  })
  return { calls, types, events }
}

/** The row of an operation in the tables of both clients. */
export function rowOf({ method, path, takes, fields }: Call): string {
  return [method, path, takes, ...fields].join(' ')
}

export function referredName(reference: string): string {
  const name = reference.replace(REFERENCE, '')
  return NAMES[name] ?? name
}

function callOf(types: Named, path: string, method: string, operation: Operation): Call {
  const { operationId: name, summary } = operation
  const input = inputOf(types, operation)
  const parameters = operation.parameters ?? []
  const has = (header: string) => parameters.some((one) => one.name === header)
  const isBody = operation.requestBody !== undefined
  const isQuery = input !== undefined && !isBody
  const returns = returnsOf(types, operation)
  // A caller may send back what it got, changed.
  const read = method === 'put' && returns.kind === 'one' ? fieldsOf(types[returns.type] ?? {}) : []
  const own = isBody ? fieldsOf(types[input?.type ?? ''] ?? {}) : []
  return {
    name,
    method: method.toUpperCase(),
    path,
    summary,
    hasId: path.includes('{'),
    takes: isQuery ? 'query' : isBody ? (has('idempotency-key') ? 'keyed' : 'body') : 'none',
    ...(input === undefined ? {} : { input }),
    fields: [...new Set([...own, ...read])],
    isAsync: has('prefer') && has('idempotency-key'),
    hasCsv: has('export'),
    returns,
  }
}

/** A query by POST has the parameters of the query string in its body. */
function inputOf(types: Named, operation: Operation): Call['input'] {
  const { operationId, requestBody, parameters = [] } = operation
  const body = requestBody?.content[JSON_TYPE]?.schema
  if (body !== undefined) {
    const type = `${capitalized(operationId)}Input`
    types[type] = withNulls(body)
    return { type, isRequired: requestBody?.required === true }
  }
  // CSV is a method of its own, since its answer is a text.
  const query = parameters.filter((one) => one.in === 'query' && one.name !== 'export')
  if (query.length === 0) return undefined
  const type = `${capitalized(operationId)}Query`
  const properties = query.map(({ name, schema, description }) => [
    name,
    { ...withBooleans(schema), ...(description === undefined ? {} : { description }) },
  ])
  types[type] = { type: 'object', properties: Object.fromEntries(properties) }
  return { type, isRequired: false }
}

/** A body with two forms has the fields of both. */
function fieldsOf(schema: Schema): readonly string[] {
  const { anyOf, properties } = schema
  if (Array.isArray(anyOf)) return [...new Set(anyOf.flatMap(fieldsOf))]
  if (properties === undefined) throw new Error('a body has no list of its fields')
  return Object.keys(propertiesOf(schema))
}

/** In a body null is the same as absent, unless the field is required. */
function withNulls(schema: Schema): Schema {
  const { anyOf, description, required = [] } = schema
  if (Array.isArray(anyOf)) return { description, anyOf: anyOf.map(withNulls) }
  const properties = Object.entries(propertiesOf(schema)).map(([name, value = {}]) => [
    name,
    (required as readonly string[]).includes(name) ? value : withNull(value),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function withNull(schema: Schema): Schema {
  const { type, enum: values } = schema
  const types = new Set([type, 'null'].flat())
  const own = Array.isArray(values) ? { enum: [...new Set([...values, null])] } : {}
  return type === undefined ? schema : { ...schema, type: [...types], ...own }
}

/** In a query string a flag is a text; in a program it is true or false. */
function withBooleans(schema: Schema): Schema {
  const { enum: values } = schema
  if (!Array.isArray(values) || !values.includes('true')) return schema
  return { ...schema, type: ['boolean', 'string'], enum: [true, false, ...values] }
}

function returnsOf(types: Named, { operationId, responses }: Operation): Returns {
  const schema = responses['200']?.content?.[JSON_TYPE]?.schema
  if (schema === undefined) return { kind: 'text' }
  const itemName = `${capitalized(operationId)}Item`
  const { data, last_page: lastPage } = propertiesOf(schema)
  if (data !== undefined && lastPage !== undefined) {
    return { kind: 'page', type: nameOf(types, data.items as Schema, itemName) }
  }
  if (schema.type === 'array') {
    return { kind: 'array', type: nameOf(types, schema.items as Schema, itemName) }
  }
  return { kind: 'one', type: nameOf(types, schema, `${capitalized(operationId)}Answer`) }
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema | undefined>> {
  return (schema.properties ?? {}) as Readonly<Record<string, Schema | undefined>>
}

/** The name of the schema to which it refers; otherwise it gets the offered name. */
function nameOf(types: Named, schema: Schema, offered: string): string {
  if (typeof schema.$ref === 'string') return referredName(schema.$ref)
  types[offered] = schema
  return offered
}
