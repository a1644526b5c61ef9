// The parts of the OpenAPI document that this service completes and its reference shows.

type Json = Readonly<Record<string, unknown>>

/** A JSON Schema as this service writes it, with the vendor keyword `x-kind`. */
export interface ShownSchema {
  readonly type?: string | readonly string[]
  readonly $ref?: string
  readonly 'x-kind'?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, ShownSchema>>
  readonly required?: readonly string[]
  readonly items?: ShownSchema
  readonly additionalProperties?: boolean | ShownSchema
  readonly anyOf?: readonly ShownSchema[]
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  /** A body with two forms, before the document describes them beside each other. */
  readonly if?: { readonly required: readonly string[] }
  readonly then?: ShownSchema
  readonly else?: ShownSchema
}

export interface ShownParameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: ShownSchema
}

interface Media {
  readonly schema: ShownSchema
  readonly example?: unknown
}

export interface ShownResponse {
  readonly description: string
  readonly content?: Readonly<Record<string, Media>>
  readonly headers?: Json
}

export interface ShownOperation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** Empty if it needs no key. */
  readonly security: readonly object[]
  readonly parameters?: readonly ShownParameter[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, Media>>
  }
  readonly responses: Readonly<Record<string, ShownResponse>>
}

export interface ShownDocument {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description?: string
  }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly components: {
    readonly schemas: Readonly<Record<string, ShownSchema>>
    readonly headers?: Readonly<Record<string, { readonly description?: string }>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>
}

const OF_SCHEMAS = '#/components/schemas/'

export const JSON_MEDIA = 'application/json'

/** The name of the shared schema that is referred to. */
export function refName({ $ref }: ShownSchema): string | undefined {
  return $ref?.startsWith(OF_SCHEMAS) ? $ref.slice(OF_SCHEMAS.length) : undefined
}

export function typesOf({ type = [] }: ShownSchema): readonly string[] {
  return [type].flat() as readonly string[]
}

/** The shared schemas that a schema names. Those that they name in turn are not followed. */
export function refsIn(schema: ShownSchema): readonly string[] {
  const name = refName(schema)
  if (name !== undefined) return [name]
  const { items, additionalProperties: others, anyOf = [], properties = {} } = schema
  const parts = [items, typeof others === 'object' ? others : undefined, ...anyOf]
  return [...parts, ...Object.values(properties)].flatMap((part) =>
    part === undefined ? [] : refsIn(part),
  )
}
