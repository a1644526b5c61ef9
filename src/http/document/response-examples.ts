// The examples of answers. `npm run openapi` records those of operations from a running service;
// those of errors come from the catalogue, as every refusal does.

import { ERROR_CATALOGUE, type ErrorCode, problemOf, Refusal } from '../../core/errors.ts'
import type { ShownOperation } from '../../reference/document.ts'
import MADE from './response-examples.json' with { type: 'json' }

type Json = Readonly<Record<string, unknown>>

const REQUEST_ID = '01941f29-7c00-7000-8000-00000000000f'

const FAULTS: Partial<Readonly<Record<ErrorCode, Readonly<Record<string, readonly string[]>>>>> = {
  invalid_request: { total: ['must be at least 0.01'] },
  invalid_id: { id: ['must be a UUID'] },
  unknown_field: { amuont: ['is not known: did you mean amount?'] },
}

/** The examples for the components of the document, by the error's code. */
export function errorExamples(codes: readonly ErrorCode[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    codes.map((code) => [
      code,
      { summary: ERROR_CATALOGUE[code].message, value: problemExample(code) },
    ]),
  )
}

function problemExample(code: ErrorCode): object {
  const faults = FAULTS[code]
  return problemOf(new Refusal(code, faults === undefined ? {} : { faults }), REQUEST_ID)
}

/** Undefined until `npm run openapi` has made it. */
export function madeExample(operationId: string, status: string): unknown {
  return (MADE as Readonly<Record<string, Json>>)[operationId]?.[status]
}

/** The examples of a JSON response: the recorded answer, and each possible error. */
export function examplesOf(made: unknown, codes: readonly string[]): object {
  if (codes.length === 0) return made === undefined ? {} : { example: made }
  const errors = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])
  const declined = made === undefined ? [] : [['declined', { value: made }]]
  return { examples: Object.fromEntries([...declined, ...errors]) }
}

type Paths = Readonly<
  Record<string, Readonly<Record<string, Pick<ShownOperation, 'operationId' | 'responses'>>>>
>

/**
 * An example of each shared object by its name: as its own GET returned it, else as the first of a
 * list, else as another operation returned it. The error's is made like all errors.
 */
export function objectExamples(paths: Paths): ReadonlyMap<string, unknown> {
  const found = Object.values(paths).flatMap((operations) =>
    Object.entries(operations).flatMap(([verb, { operationId = '', responses }]) => {
      const { $ref, items, properties } =
        responses[200]?.content?.['application/json']?.schema ?? {}
      const made = madeExample(operationId, '200')
      if (made === undefined) return []
      const first = Array.isArray(made) ? made[0] : (made as Listed).data?.[0]
      const listed = items?.$ref ?? properties?.data?.items?.$ref
      const one = [$ref, made, verb === 'get' ? 0 : 2] as const
      return [one, [listed, first, 1] as const]
    }),
  )
  const best = found
    .filter(([reference, example]) => reference !== undefined && example !== undefined)
    .sort(([, , one], [, , other]) => other - one)
  const named = best.map(
    ([reference = '', example]) => [reference.split('/').at(-1) ?? '', example] as const,
  )
  return new Map<string, unknown>([['Error', problemExample('invalid_request')], ...named])
}

interface Listed {
  readonly data?: readonly unknown[]
}
