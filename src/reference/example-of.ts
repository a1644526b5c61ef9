// Examples of values, taken from the schemas of the document.

import {
  JSON_MEDIA,
  refName,
  type ShownDocument,
  type ShownOperation,
  type ShownParameter,
  type ShownSchema,
  typesOf,
} from './document.ts'

type Document = Pick<ShownDocument, 'components'>

/** The example that the schema has, or a value made of the examples of its parts. */
export function exampleOf(document: Document, schema: ShownSchema): unknown {
  const name = refName(schema)
  if (name !== undefined) return exampleOf(document, document.components.schemas[name] ?? {})
  const { examples, enum: choices, anyOf, items, properties } = schema
  if (examples?.[0] !== undefined) return examples[0]
  if (choices?.[0] !== undefined) return choices[0]
  if (anyOf?.[0] !== undefined) return exampleOf(document, anyOf[0])
  if (items !== undefined) return [exampleOf(document, items)]
  if (properties !== undefined) return objectOf(document, schema)
  return plainExample(schema)
}

/** Optional fields are left out. */
function objectOf(document: Document, { properties = {}, required = [] }: ShownSchema) {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([field]) => required.includes(field))
      .map(([field, schema]) => [field, exampleOf(document, schema)]),
  )
}

const TIME = '2026-03-06T15:04:05.678Z'
const ID = '01941f29-7c00-7000-8000-000000000001'

const BY_FORMAT: Readonly<Record<string, unknown>> = { uuid: ID, 'date-time': TIME }
const BY_TYPE: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  integer: 1,
  number: 12.5,
  string: 'text',
  object: {},
}

function plainExample(schema: ShownSchema): unknown {
  const types = typesOf(schema)
  if (types.includes('null')) return null
  return BY_FORMAT[schema.format ?? ''] ?? BY_TYPE[types[0] ?? 'object']
}

export interface ExampleRequest {
  /** The path with its query. */
  readonly target: string
  readonly body?: unknown
}

export function exampleRequest(
  document: Document,
  path: string,
  { parameters = [], requestBody }: ShownOperation,
): ExampleRequest {
  const valueFor = ({ schema }: ShownParameter) =>
    encodeURIComponent(String(exampleOf(document, schema)))
  const filled = parameters
    .filter((one) => one.in === 'path')
    .reduce((text, one) => text.replace(`{${one.name}}`, valueFor(one)), path)
  const size = parameters.find((one) => one.in === 'query' && one.name === 'limit')
  const media = requestBody?.content[JSON_MEDIA]
  return {
    target: size === undefined ? filled : `${filled}?limit=${valueFor(size)}`,
    ...(media === undefined ? {} : { body: media.example ?? exampleOf(document, media.schema) }),
  }
}
