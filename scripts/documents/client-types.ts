// The types of a TypeScript client, made of the OpenAPI document: one interface of all paths, in
// the shape that openapi-fetch reads, over the named schemas.

import { compile } from 'json-schema-to-typescript'
import type { ApiDocument, Operation, Parameter, Schema } from './service-document.ts'

const BANNER = `// The types of the API. Made by \`npm run openapi\`; do not edit.
// import createClient from 'openapi-fetch'; createClient<Paths, 'application/json'>({ baseUrl: … })`

/** Most answers are this; written out each time they would be half of the file. */
const REFUSED = 'Refused'

/** Statuses are numbers to openapi-fetch. */
const STATUS = /^(\s+)'(\d{3})':/gm

const JSON_TYPE = 'application/json'
const ERROR = { $ref: '#/components/schemas/Error' }

/** Beside the types, nothing is taken: a word that is misspelt is a mistake to be shown. */
const CLOSED = { additionalProperties: false }

/** `Error` is a name that TypeScript's own world has already. */
const NAMES: Readonly<Record<string, string>> = { Error: 'ApiError' }

export async function clientTypes(document: ApiDocument): Promise<string> {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const methods = Object.entries(operations).map(([method, operation]) => [
      method,
      operationSchema(operation),
    ])
    return [path, object(Object.fromEntries(methods))]
  })
  const named = Object.entries(document.components.schemas).map(([name, schema]) => [
    NAMES[name] ?? name,
    schema,
  ])
  const refused = [REFUSED, object({ content: object({ [JSON_TYPE]: ERROR }) })]
  const definitions = Object.fromEntries([...named, refused])
  const whole = { ...object(Object.fromEntries(paths)), definitions }
  const types = await compile(forTypes(whole) as object, 'Paths', {
    bannerComment: BANNER,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, semi: false, printWidth: 100, trailingComma: 'all' },
  })
  return types.replace(STATUS, '$1$2:')
}

function operationSchema(operation: Operation): Schema {
  const { parameters = [], requestBody, responses } = operation
  const body = requestBody === undefined ? {} : { requestBody: contentSchema(requestBody.content) }
  const answers = Object.entries(responses).map(([status, { content = {} }]) => [
    status,
    contentSchema(content),
  ])
  const properties = {
    parameters: parametersSchema(parameters),
    ...body,
    responses: object(Object.fromEntries(answers)),
  }
  const required = requestBody?.required === true ? ['requestBody'] : []
  const description = operation.summary
  return { ...object(properties, ['parameters', 'responses', ...required]), description }
}

/** A place is required when something in it is. */
function parametersSchema(parameters: readonly Parameter[]): Schema {
  const places = [...new Set(parameters.map((parameter) => parameter.in))]
  const schemas = places.map((place) => {
    const here = parameters.filter((parameter) => parameter.in === place)
    const properties = here.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description === undefined ? {} : { description }) },
    ])
    const required = here.filter((parameter) => parameter.required).map(({ name }) => name)
    return [place, object(Object.fromEntries(properties), required)] as const
  })
  const needed = schemas.filter(([, { required }]) => (required as string[]).length > 0)
  return object(
    Object.fromEntries(schemas),
    needed.map(([place]) => place),
  )
}

function contentSchema(content: Readonly<Record<string, { readonly schema: Schema }>>): Schema {
  const types = Object.entries(content).map(([type, { schema }]) => [type, schema])
  if (content[JSON_TYPE]?.schema.$ref === ERROR.$ref) return { $ref: `/${REFUSED}` }
  return object({ content: object(Object.fromEntries(types)) })
}

/** All of it required, unless said otherwise. */
function object(
  properties: Readonly<Record<string, Schema>>,
  required?: readonly string[],
): Schema {
  return {
    type: 'object',
    properties,
    required: required ?? Object.keys(properties),
    ...CLOSED,
  }
}

/** What TypeScript cannot say is said as well as it can. */
function forTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forTypes)
  if (typeof schema !== 'object' || schema === null) return schema
  const { if: condition, then: yes, else: no, examples: _, ...rest } = schema as Schema
  if (condition !== undefined) return forTypes({ anyOf: [yes, no] })
  const entries = Object.entries(rest).map(([key, value]) => [
    key,
    key === '$ref' ? renamed(String(value)) : forTypes(value),
  ])
  return { ...Object.fromEntries(entries), ...(isOpen(rest) ? { additionalProperties: true } : {}) }
}

/** Anything of the caller's own. */
function isOpen(schema: Schema): boolean {
  const { type, properties, additionalProperties: more } = schema
  return schema['x-kind'] === 'meta' || (type === 'object' && (properties ?? more) === undefined)
}

function renamed(reference: string): string {
  const name = reference.split('/').at(-1) ?? ''
  return `#/definitions/${NAMES[name] ?? name}`
}
