// The validators for Fastify, and their faults in our words: all faults of a part at once, by
// dotted field.

import { AjvCompiler } from '@fastify/ajv-compiler'
import type { FastifyServerOptions } from 'fastify'
import { type ErrorCode, Refusal } from '../core/errors.ts'
import type { Schema } from '../resource/json-schema.ts'
import type { ValueKind } from '../resource/schemas.ts'
import { type Fault, faultText } from './fault-texts.ts'
import { KIND_CHECKS } from './schema/kinds.ts'

/** The most faults in one answer. A caller that has fixed these may ask again. */
const MOST_FAULTS = 100

/** Unknown fields with a suggestion, because each is compared with every known one. */
const MOST_EXPLAINED = 10

/** Names come from the caller and may be as long as the body. */
const MOST_FIELD_CHARACTERS = 200

type Part = 'body' | 'querystring' | 'params' | 'headers'

const STRICT = {
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  strict: false,
  validateFormats: false,
  // The tests check our schemas, so no start does. Shorter generated code is not worth its time.
  meta: false,
  validateSchema: false,
  code: { optimize: false },
} as const

const COERCING = { ...STRICT, coerceTypes: 'array' } as const

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>
type BuildValidator = ReturnType<typeof AjvCompiler>
type Validator = ReturnType<ReturnType<BuildValidator>>

/** Headers are read where they are used; their schemas are for the document. */
const ANYTHING = (() => true) as unknown as Validator

/**
 * Bodies are JSON, so their types count. Parameters of an address are text and are converted to the
 * type of their schema.
 */
const buildValidator: BuildValidator = (externalSchemas) => {
  compilers ??= {
    body: compilerOf(externalSchemas, STRICT),
    address: compilerOf(externalSchemas, COERCING),
  }
  const { body, address } = compilers
  return (definition) => {
    switch (partOf(definition)) {
      case 'body':
        return body(definition)
      case 'querystring':
      case 'params':
        return address(definition)
      case 'headers':
        return ANYTHING
    }
  }
}

type Compile = ReturnType<BuildValidator>

/** Every app of the process has the same schemas, and compiles none of them again. */
let compilers: Readonly<Record<'body' | 'address', Compile>> | undefined

/**
 * A schema is compiled once by its text, since many routes have the same, and when it is first
 * needed: to compile all of them is a tenth of what a process does until it is ready.
 */
function compilerOf(
  externalSchemas: Parameters<BuildValidator>[0],
  customOptions: typeof STRICT | typeof COERCING,
): Compile {
  const compile = AjvCompiler()(externalSchemas, { customOptions, plugins: [addKinds] })
  const compiled = new Map<string, Validator>()
  return (definition) => {
    const { schema } = definition as { readonly schema: Schema }
    const key = JSON.stringify(schema)
    const validator = compiled.get(key) ?? whenNeeded(() => compile(definition))
    compiled.set(key, validator)
    return validator
  }
}

function whenNeeded(compile: () => Validator): Validator {
  let compiled: Validator | undefined
  const validate = (value: unknown) => {
    compiled ??= compile()
    const isValid = compiled(value)
    Object.assign(validate, { errors: compiled.errors })
    return isValid
  }
  return validate as Validator
}

export const schemaController: SchemaController = { compilersFactory: { buildValidator } }

/**
 * Turns Ajv's errors into a refusal. If only ids are invalid, or a body field is unknown, the
 * refusal has a code of its own.
 */
export function refusalOf(
  found: readonly Fault[],
  part: Part,
  schema: Schema = {},
  sent: unknown,
): Refusal {
  // A failed branch of an `if` adds nothing to the faults within it.
  const ofFields = found.filter(({ keyword }) => keyword !== 'if')
  const inFields = plainest(ofFields.map((fault) => orRepeated(fault, part, schema, sent)))
  // A Map, because a field may be called `__proto__` or `constructor`.
  const faults = new Map<string, readonly string[]>()
  for (const [at, fault] of inFields.slice(0, MOST_FAULTS).entries()) {
    const field = fieldOf(fault, part)
    const texts = faults.get(field) ?? []
    const isExplained = at < MOST_EXPLAINED || !isUnknownField(fault)
    const text = isExplained ? faultText(fault, schema, sent) : 'is not known'
    if (!texts.includes(text)) faults.set(field, [...texts, text])
  }
  return new Refusal(codeOf(inFields, part), { faults: Object.fromEntries(faults) })
}

/** Each value of a repeated parameter may be right, so its own fault would send its author astray. */
function orRepeated(fault: Fault, part: Part, schema: Schema, sent: unknown): Fault {
  const { instancePath = '' } = fault
  const name = instancePath.slice(1)
  const value = (sent as Readonly<Record<string, unknown>> | undefined)?.[name]
  const isRepeated = part === 'querystring' && Array.isArray(value) && !mayRepeat(schema, name)
  return isRepeated
    ? { keyword: 'repeated', instancePath, message: 'was sent more than once' }
    : fault
}

function mayRepeat({ properties }: Schema, name: string): boolean {
  const known = properties as Readonly<Record<string, Schema>> | undefined
  return known?.[name]?.type === 'array'
}

function codeOf(faults: readonly Fault[], part: Part): ErrorCode {
  if (part === 'body' && faults.some(isUnknownField)) return 'unknown_field'
  const isId = (fault: Fault) => kindOf(fault) === 'id' || kindOf(fault) === 'link_id'
  return faults.every(isId) ? 'invalid_id' : 'invalid_request'
}

function isUnknownField({ keyword }: Fault): boolean {
  return keyword === 'additionalProperties'
}

/** The less precise first. The last one of a value says all that the others say. */
const PRECISION: readonly unknown[] = ['type', 'enum', 'x-kind']

function plainest(faults: readonly Fault[]): readonly Fault[] {
  const precise = new Map<unknown, number>()
  for (const { keyword, instancePath } of faults) {
    const known = precise.get(instancePath) ?? 0
    precise.set(instancePath, Math.max(known, PRECISION.indexOf(keyword)))
  }
  const isLess = ({ keyword, instancePath }: Fault) => {
    const at = PRECISION.indexOf(keyword)
    return at >= 0 && at < (precise.get(instancePath) ?? 0)
  }
  return faults.filter((fault) => !isLess(fault))
}

/** Fastify passes the whole definition, whatever the compiler's types say. */
function partOf(definition: unknown): Part {
  return (definition as { readonly httpPart: Part }).httpPart
}

/** Kinds of a whole body whose fault belongs to one of its fields. */
const PLACES: Partial<Readonly<Record<ValueKind, { readonly missingProperty: string }>>> = {
  named: { missingProperty: 'firstname' },
}

interface AjvLike {
  addKeyword(definition: unknown): unknown
}

/** The parts of a field's schema that its kind depends on. */
interface Within {
  readonly maxLength?: number
  readonly 'x-fault'?: string
}

function addKinds<A extends AjvLike>(ajv: A): A {
  interface Validate {
    (kind: ValueKind, value: unknown, within?: Within): boolean
    errors?: readonly Fault[]
  }
  const validate: Validate = (kind, value, within = {}) => {
    const { maxLength = Number.POSITIVE_INFINITY, 'x-fault': ownFault } = within
    // The type check covers null, and a text that is too long is not checked further.
    const isReportedElsewhere =
      value === null || (typeof value === 'string' && value.length > 2 * maxLength)
    const fault = isReportedElsewhere ? undefined : KIND_CHECKS[kind](value, ownFault)
    validate.errors =
      fault === undefined
        ? []
        : [{ keyword: 'x-kind', message: fault, params: { kind, ...PLACES[kind] } }]
    return fault === undefined
  }
  ajv.addKeyword({ keyword: 'x-kind', schemaType: 'string', validate, errors: true })
  return ajv
}

function kindOf({ keyword, params }: Fault): unknown {
  return keyword === 'x-kind' ? params?.kind : undefined
}

function fieldOf(fault: Fault, part: Part): string {
  const path = (fault.instancePath ?? '').split('/').slice(1).map(unescaped)
  const own = fault.params?.missingProperty ?? fault.params?.additionalProperty
  const field = [...path, ...(typeof own === 'string' ? [own] : [])].join('.')
  return field === '' ? part : field.slice(0, MOST_FIELD_CHARACTERS).toWellFormed()
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
