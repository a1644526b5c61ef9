// The generated part of the TypeScript client: the types, a method for each operation, and the table
// by which the client calls them.

import { compile } from 'json-schema-to-typescript'
import { type Call, type Calls, callsOf, type Returns, referredName, rowOf } from './calls.ts'
import type { ApiDocument, Schema } from './service-document.ts'

const MADE = '// Made by `npm run openapi`; do not edit.'

const TYPES_HEAD = `${MADE}

import type { CallOptions, KeyedCallOptions, Page, PaymentCallOptions } from './call-options.ts'
`

const TABLE_HEAD = `${MADE}

import type { Operations } from './api.ts'

export type OperationName = keyof Operations

/** The method and the path of each operation, what it takes beside the id, and the fields of its body. */
export const OPERATIONS: Readonly<Record<OperationName, string>> = {`

/** A misspelt name is a mistake that the compiler must show. */
const CLOSED = { additionalProperties: false }

export async function clientTypes(document: ApiDocument): Promise<string> {
  const calls = callsOf(document)
  const definitions = forTypes(calls.types)
  const events = calls.events.map(
    ([name, type]) => [name, { $ref: `#/definitions/${type}` }] as const,
  )
  const root: object = {
    type: 'object',
    description: 'The events of webhooks, each with the resource that it carries.',
    properties: Object.fromEntries(events),
    required: events.map(([name]) => name),
    ...CLOSED,
    definitions,
  }
  const types = await compile(root, 'WebhookEvents', {
    bannerComment: TYPES_HEAD,
    additionalProperties: false,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, semi: false, printWidth: 100, trailingComma: 'all' },
  })
  return [types.replace(ALONE, '').replace(BESIDE, ''), methodsOf(calls), csvNamesOf(calls)].join(
    '\n',
  )
}

/** The compiler's comment on a type that nothing refers to, alone or below a description. */
const SAYS = String.raw` \* This interface was referenced by .*\n \* via the .*\n`
const ALONE = new RegExp(String.raw`/\*\*\n${SAYS} \*/\n`, 'g')
const BESIDE = new RegExp(String.raw` \*\n${SAYS}`, 'g')

export function clientTable(document: ApiDocument): string {
  const lines = callsOf(document).calls.map((call) => `  ${call.name}: '${rowOf(call)}',`)
  return `${[TABLE_HEAD, ...lines, '}'].join('\n')}\n`
}

function methodsOf({ calls }: Calls): string {
  const methods = calls.flatMap((call) => [
    `  /** ${call.summary}. */`,
    `  ${call.name}(${argumentsOf(call).join(', ')}): Promise<${typeOf(call.returns)}>`,
  ])
  return `${['export interface Operations {', ...methods, '}'].join('\n')}\n`
}

function argumentsOf({ hasId, input, takes, isAsync }: Call): readonly string[] {
  const options = isAsync ? 'Payment' : takes === 'keyed' ? 'Keyed' : ''
  return [
    ...(hasId ? ['id: string'] : []),
    ...(input === undefined
      ? []
      : [`${takes === 'query' ? 'query' : 'body'}${input.isRequired ? '' : '?'}: ${input.type}`]),
    `options?: ${options}CallOptions`,
  ]
}

function typeOf(returns: Returns): string {
  switch (returns.kind) {
    case 'text':
      return 'string'
    case 'one':
      return returns.type
    case 'array':
      return `${returns.type}[]`
    case 'page':
      return `Page<${returns.type}>`
  }
}

function csvNamesOf({ calls }: Calls): string {
  const names = calls.filter(({ hasCsv }) => hasCsv).map(({ name }) => `'${name}'`)
  return `/** The lists that are answered as CSV too. */\nexport type CsvName = ${names.join(' | ')}\n`
}

/**
 * The schema as the generator of types reads it: without examples, and open if the caller may send
 * any value.
 */
function forTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forTypes)
  if (typeof schema !== 'object' || schema === null) return schema
  const { examples: _, ...rest } = schema as Schema
  const entries = Object.entries(rest).map(([key, value]) => [
    key,
    key === '$ref' ? `#/definitions/${referredName(String(value))}` : forTypes(value),
  ])
  return { ...Object.fromEntries(entries), ...(isOpen(rest) ? { additionalProperties: true } : {}) }
}

/** True if the caller may send any value. */
function isOpen(schema: Schema): boolean {
  const { type, properties, additionalProperties: more } = schema
  return type === 'object' && (properties ?? more) === undefined
}
