// The building blocks of the schemas of requests and answers. One object is the type, the
// validation and the documentation.

import { LONGEST_WEB_ADDRESS } from '../core/text.ts'
import { type Schema, Type } from './json-schema.ts'

/** Rules beyond the JSON type. `kinds.ts` of the API server implements them. */
export type ValueKind =
  | 'money'
  | 'open_money'
  | 'id'
  | 'link_id'
  | 'flag'
  | 'text'
  | 'keywords'
  | 'meta'
  | 'email'
  | 'phone'
  | 'phone_or_digits'
  | 'web_address'
  | 'endpoint'
  | 'event_choice'
  | 'instant'
  | 'resource_id'
  | 'order'
  | 'page_number'
  | 'page_size'
  | 'named'
  | 'fixed'
  | 'of_creation'

/** Long enough for any name or address line, but limited. */
const TEXT_CHARACTERS = 255
const NOTE_CHARACTERS = 10_000

/** The form of ids. */
export const EXAMPLE_ID = '01941f29-7c00-7000-8000-000000000001'
const LINK_ID = '5b1f0c9be2a94c6f8d7e3a2b1c0d9e8f'

function ofKind<T>(kind: ValueKind, schema: Record<string, unknown>) {
  return Type.Unsafe<T>({ 'x-kind': kind, ...schema })
}

export const money = (description: string) =>
  ofKind<number | string>('money', {
    type: ['number', 'string'],
    description: `${description} A decimal in major units, as a number or as text.`,
    examples: [12.5],
  })

/** An amount that may be left open, which is 0. */
export const openAmount = (description: string) =>
  ofKind<number | string>('open_money', {
    type: ['number', 'string'],
    description,
    examples: [12.5],
  })

export const openMoney = (description: string) =>
  openAmount(`${description} A decimal in major units, as a number or as text; 0 means no amount.`)

/** Another currency is refused: an amount in it must not be taken for dollars. */
export const currency = Type.Enum(['USD'])

/** What a change says of a field that it takes only with the value that it has. */
export const KEPT = 'Cannot be changed; the current value is accepted.'

export const id = (description: string) =>
  ofKind<string>('id', { type: 'string', format: 'uuid', description, examples: [EXAMPLE_ID] })

export const linkId = (description: string) =>
  ofKind<string>('link_id', { type: 'string', description, examples: [LINK_ID] })

export const flag = (description: string) =>
  ofKind<boolean | 0 | 1 | '0' | '1'>('flag', {
    type: ['boolean', 'integer', 'string'],
    enum: [true, false, 0, 1, '0', '1'],
    description,
  })

/** A flag in a query string, where everything is text. */
export const queryFlag = (description: string) =>
  Type.Enum(['true', 'false', '0', '1'], { description })

export const meta = ofKind<Record<string, unknown>>('meta', {
  type: 'object',
  // Said, since generators of clients take an object without properties for an empty one.
  additionalProperties: true,
  description:
    'Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.',
})

export const text = (description: string) =>
  ofKind<string>('text', { type: 'string', minLength: 1, maxLength: TEXT_CHARACTERS, description })

export const idempotencyId = Type.Optional(text('The same as the header Idempotency-Key.'))

/** A body that says nothing but that it is one request. */
export const onlyOnce = Type.Object({ idempotency_id: idempotencyId }, { examples: [{}] })

export const instant = (description: string, example?: string) =>
  ofKind<string>('instant', {
    type: 'string',
    description,
    ...(example !== undefined && { examples: [example] }),
  })

export const note = (description: string) =>
  ofKind<string>('text', { type: 'string', minLength: 1, maxLength: NOTE_CHARACTERS, description })

export const webAddress = (description: string) =>
  ofKind<string>('web_address', { type: 'string', maxLength: LONGEST_WEB_ADDRESS, description })

export const email = ofKind<string>('email', { type: 'string', maxLength: 320, format: 'email' })

export const phone = ofKind<string>('phone', {
  type: 'string',
  maxLength: 40,
  description: 'E.164, or national digits of the United States.',
  examples: ['+12025550123'],
})

export const phoneOrDigits = ofKind<string>('phone_or_digits', {
  type: 'string',
  maxLength: 40,
  description:
    'E.164, or national digits of the United States. 10 to 15 digits that are no valid number are kept as typed, and no text is sent to them.',
  examples: ['+12025550123'],
})

/** A field that is refused with any value but null: the fault says what to do instead. */
export const fixed = (fault: string, description: string) =>
  ofKind<null>('fixed', { 'x-fault': fault, type: 'null', description })

export const nullable = <T>(schema: Schema<T>) =>
  Type.Unsafe<T | null>({ anyOf: [schema, { type: 'null' }] })

// ------------------------------------------------------------------------------------ answers only

const answered = <T>(schema: Record<string, unknown>) => Type.Unsafe<T>(schema)

export const answerField = {
  id: answered<string>({ type: 'string', format: 'uuid' }),
  idOrNull: answered<string | null>({ type: ['string', 'null'], format: 'uuid' }),
  text: answered<string>({ type: 'string' }),
  textOrNull: answered<string | null>({ type: ['string', 'null'] }),
  texts: answered<string[]>({ type: 'array', items: { type: 'string' } }),
  amount: answered<number>({ type: 'number', description: 'Major units.', examples: [12.5] }),
  amountOrNull: answered<number | null>({ type: ['number', 'null'], examples: [12.5] }),
  time: answered<string>({ type: 'string', format: 'date-time' }),
  timeOrNull: answered<string | null>({ type: ['string', 'null'], format: 'date-time' }),
  flag: answered<boolean>({ type: 'boolean' }),
  flagOrNull: answered<boolean | null>({ type: ['boolean', 'null'] }),
  meta: answered<unknown>({ type: 'object', additionalProperties: true }),
}
