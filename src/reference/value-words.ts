// The type and the limits of a schema, in words.

import { refName, type ShownSchema, typesOf } from './document.ts'

/** Kinds of values that the introduction of the document describes. */
const KINDS: Readonly<Record<string, string>> = {
  id: 'UUID',
  link_id: 'id of a payment link',
  resource_id: 'id',
  fixed: 'null',
  money: 'decimal',
  open_money: 'decimal',
  instant: 'time',
  flag: 'boolean',
  email: 'e-mail address',
  phone: 'phone number',
  phone_or_digits: 'phone number',
  web_address: 'URL',
  endpoint: 'URL',
  event_choice: 'event name, or list of them',
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'time',
  date: 'date',
  email: 'e-mail address',
  uri: 'URL',
}

export interface TypeWords {
  /** The words before the name of a shared schema, or all of them. */
  readonly words: string
  readonly object?: string | undefined
  readonly isNullable: boolean
}

export function typeWords(schema: ShownSchema): TypeWords {
  const types = typesOf(schema)
  const choices = schema.anyOf?.filter((one) => one.type !== 'null') ?? []
  const isNullable =
    types.includes('null') || (schema.anyOf ?? []).some(({ type }) => type === 'null')
  const [only] = choices
  if (choices.length === 1 && only !== undefined) return { ...typeWords(only), isNullable }
  const object = refName(schema)
  if (object !== undefined) return { words: '', object, isNullable }
  const known = KINDS[schema['x-kind'] ?? ''] ?? FORMATS[schema.format ?? '']
  if (known !== undefined) return { words: known, isNullable }
  if (types.includes('array') && types.length === 1) {
    const part = typeWords(schema.items ?? {})
    return {
      words: `list of ${part.words === 'object' ? 'objects' : part.words}`,
      object: part.object,
      isNullable,
    }
  }
  const others = types.filter((type) => type !== 'null')
  return { words: others.length === 0 ? 'any' : others.join(' or '), isNullable }
}

/** Whole sentences; empty if there is no limit. */
export function limitsOf(schema: ShownSchema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema
  return [
    between(minimum, maximum, ''),
    between(minLength, maxLength, ' characters'),
    between(minItems, maxItems, ' items'),
    items === undefined ? '' : between(items.minLength, items.maxLength, ' characters each'),
  ].filter((text) => text !== '')
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  const [from, to] = [least, most].map((bound) => bound?.toLocaleString('en-US'))
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}.`
  if (to !== undefined) return `At most ${to}${unit}.`
  return from === undefined ? '' : `At least ${from}${unit}.`
}

/** The values that a field, or each item of it, can have. */
export function choicesOf(schema: ShownSchema): readonly string[] {
  // It is a boolean, of which the schema lists the spellings.
  if (schema['x-kind'] === 'flag') return []
  const own = schema.enum ?? schema.items?.enum ?? []
  return own.map(String)
}
