// Adds to every operation what follows from its route: the headers of its answers, and whether its
// body may be left out; and to the document the requests that endpoints receive.

import type { ErrorCode } from '../../core/errors.ts'
import {
  JSON_MEDIA,
  type ShownDocument,
  type ShownOperation,
  type ShownResponse,
  type ShownSchema,
} from '../../reference/document.ts'
import { errorExamples, examplesOf, madeExample, objectExamples } from './response-examples.ts'
import { webhookOperations } from './webhooks.ts'

type Operation = Omit<ShownOperation, 'security'> & Partial<Pick<ShownOperation, 'security'>>

export interface BuiltDocument {
  readonly openapiObject: {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    readonly components: Pick<ShownDocument['components'], 'schemas'>
  }
}

export const HEADERS = {
  'X-Request-Id': text('The id of the request: yours, or one that the service made.'),
  RateLimit: text(
    'The requests and the seconds that are left in the window: `"default";r=99;t=60`.',
  ),
  'RateLimit-Policy': text('The requests and the seconds of a window: `"default";q=100;w=60`.'),
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer' as const, minimum: 1 },
  },
  'Idempotent-Replayed': {
    description: '`true` if this answer was given before; absent otherwise.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
  'Ignored-Fields': text(
    'The fields of the body that the service does not know or, as a bank account beside a card, has no use for, up to ten, and headers that look like a misspelt Idempotency-Key: `pre_auht, idempotency_key`.',
  ),
  Location: text('The address that shows the outcome: of the transaction, or of the clock.'),
  'WWW-Authenticate': text('`Bearer`.'),
}

type Header = keyof typeof HEADERS

const RATE_LIMIT: readonly Header[] = ['RateLimit', 'RateLimit-Policy']

/** Without a valid key there is no limit, and these faults may come before the key is known. */
const UNCOUNTED: readonly string[] = ['401', '500', '503']

/** The other headers are the same for every answer, and the introduction describes them. */
const OF_STATUS: Readonly<Record<string, readonly Header[]>> = {
  202: ['Location'],
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The description that Fastify's plugin writes if a route has none. */
const SAYS_NOTHING = 'Default Response'

const DONE: Readonly<Record<string, string>> = { 200: 'Done.', 202: 'Accepted, and under way.' }

export function completeDocument({ openapiObject }: BuiltDocument): object {
  const { components, paths } = openapiObject
  const examples = errorExamples(codesIn(paths))
  return {
    ...openapiObject,
    components: { ...components, schemas: schemasOf(openapiObject), examples },
    paths: mapped(paths, (operations) => mapped(operations, completeOperation)),
    webhooks: webhookOperations(),
  }
}

function schemasOf({ components, paths }: BuiltDocument['openapiObject']): object {
  const examples = objectExamples(paths)
  return mapped(components.schemas, (schema, name) => {
    const example = examples.get(name)
    return openToNewFields({ ...schema, ...(example === undefined ? {} : { examples: [example] }) })
  })
}

/** Answers gain fields, and a client that was made from an older document must take them. */
function openToNewFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openToNewFields)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([name, value]) => name !== 'additionalProperties' || value !== false,
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, openToNewFields(value)]))
}

function completeOperation(operation: Operation): object {
  return {
    ...operation,
    // Programs would otherwise take it for an operation whose key is not described.
    security: operation.security ?? [],
    ...parametersOf(operation),
    ...bodyOf(operation),
    responses: mapped(operation.responses, (response, status) =>
      completeResponse(operation, status, response),
    ),
  }
}

function completeResponse(operation: Operation, status: string, response: ShownResponse): object {
  const isSilent = response.description === SAYS_NOTHING
  const names = headersOf(operation, status, response)
  const headers = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return {
    ...response,
    ...contentOf(operation, status, response),
    description: isSilent ? (DONE[status] ?? '') : response.description,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  }
}

function headersOf(operation: Operation, status: string, answer: ShownResponse): readonly Header[] {
  const isDone = status.startsWith('2')
  const isKeyed = operation.security !== undefined
  const isIdempotent = operation.parameters?.some(({ name }) => name === 'idempotency-key') ?? false
  return [
    ...(isDone ? (['X-Request-Id'] as const) : []),
    ...(isKeyed && !UNCOUNTED.includes(status) ? RATE_LIMIT : []),
    ...(isIdempotent && isDone ? (['Idempotent-Replayed'] as const) : []),
    ...(operation.requestBody !== undefined && isDone ? (['Ignored-Fields'] as const) : []),
    ...(isDone || isError(answer) ? (OF_STATUS[status] ?? []) : []),
  ]
}

function contentOf(operation: Operation, status: string, answer: ShownResponse): object {
  const media = answer.content?.[JSON_MEDIA]
  if (media === undefined) return {}
  const made = madeExample(operation.operationId ?? '', status)
  const isRefused = Number(status) >= 400
  const examples = examplesOf(made, isRefused ? codesOf(answer) : [])
  return { content: { ...answer.content, [JSON_MEDIA]: { ...media, ...examples } } }
}

function codesIn(paths: BuiltDocument['openapiObject']['paths']): readonly ErrorCode[] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const found = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      Number(status) >= 400 ? codesOf(response) : [],
    ),
  )
  return [...new Set(found)].sort()
}

/** The description of an error response names its codes, which are those of the catalogue. */
function codesOf({ description }: ShownResponse): readonly ErrorCode[] {
  return [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code as ErrorCode)
}

/** The readiness route answers 503 in a form of its own. */
function isError({ content }: ShownResponse): boolean {
  return content?.[JSON_MEDIA]?.schema?.$ref === '#/components/schemas/Error'
}

/**
 * A parameter's example is in its schema. Programs that try an operation fill in the example of a
 * parameter, and all filters of a list together find nothing.
 */
function parametersOf({ parameters }: Operation): { readonly parameters?: readonly object[] } {
  if (parameters === undefined) return {}
  return {
    parameters: parameters.map(({ example, schema, ...rest }) =>
      example === undefined
        ? { ...rest, schema }
        : { ...rest, schema: { ...schema, examples: [example] } },
    ),
  }
}

/** A missing body counts as an empty object, which is enough if no field is required. */
function bodyOf({ requestBody }: Operation): { readonly requestBody?: object } {
  if (requestBody === undefined) return {}
  const schemas = Object.values(requestBody.content).map(({ schema }) => schema)
  const content = mapped(requestBody.content, (media) => ({
    ...media,
    schema: withoutCondition(media.schema),
  }))
  return {
    requestBody: {
      ...requestBody,
      content,
      required: schemas.some((s) => s.required !== undefined),
    },
  }
}

function text(description: string) {
  return { description, schema: { type: 'string' as const } }
}

/** Generators of clients read no conditions: the two forms of such a body stand side by side. */
function withoutCondition({ if: condition, then: yes, else: no, ...schema }: ShownSchema): object {
  if (condition === undefined) return schema
  const required = [...new Set([...(yes?.required ?? []), ...condition.required])]
  return { ...schema, anyOf: [{ ...yes, required }, no] }
}

/** The same names with other values. */
function mapped<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  const changed = Object.entries(record).map(([name, value]) => [name, change(value, name)])
  return Object.fromEntries(changed)
}
