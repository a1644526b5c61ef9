// Reads the fields of a form, and refuses a wrong form in Stripe's words.

import type { StripeForm } from './form.ts'
import { invalid, missing } from './refusals.ts'

/** An empty text counts as absent: with Stripe it unsets a field. */
export function textOf(form: StripeForm, name: string): string | undefined {
  const value = form[name]
  if (typeof value === 'object') throw invalid(`Invalid string: ${name}`, { param: name })
  return value === '' ? undefined : value
}

export function requiredText(form: StripeForm, name: string): string {
  const text = textOf(form, name)
  if (text === undefined) throw missing(name)
  return text
}

export function integerOf(form: StripeForm, name: string): number | undefined {
  const text = textOf(form, name)
  if (text === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(text)) throw notAnInteger(text, name)
  return Number(text)
}

/** A number of cents, at least 1. */
export function amountOf(form: StripeForm, name: string): number | undefined {
  const amount = integerOf(form, name)
  if (amount !== undefined && amount < 1) {
    const message = 'This value must be greater than or equal to 1.'
    throw invalid(message, { code: 'parameter_invalid_integer', param: name })
  }
  return amount
}

export function flagOf(form: StripeForm, name: string): boolean {
  const text = textOf(form, name) ?? 'false'
  if (text !== 'true' && text !== 'false') {
    throw invalid(`Invalid boolean: ${text}`, { param: name })
  }
  return text === 'true'
}

export function choiceOf<Choice extends string>(
  form: StripeForm,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = textOf(form, name)
  const choice = choices.find((one) => one === text)
  if (text !== undefined && choice === undefined) {
    throw invalid(`Invalid ${name}: must be one of ${choices.join(', ')}`, { param: name })
  }
  return choice
}

export function groupOf(form: StripeForm, name: string): StripeForm | undefined {
  const value = form[name]
  if (typeof value === 'string' && value !== '') {
    throw invalid('Invalid object', { param: name })
  }
  return typeof value === 'object' ? value : undefined
}

export function listOf(form: StripeForm, name: string): readonly string[] {
  const value = form[name]
  if (typeof value === 'string') throw invalid('Invalid array', { param: name })
  return Object.values(value ?? {}).map((one) => {
    if (typeof one === 'string') return one
    throw invalid('Invalid array', { param: name })
  })
}

/** A name with an empty value is unset, and an empty `metadata` unsets all. */
export function metadataOf(
  form: StripeForm,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  if (form.metadata === '') return {}
  const metadata = { ...before }
  for (const [name, value] of Object.entries(groupOf(form, 'metadata') ?? {})) {
    if (typeof value === 'object') throw invalid('Invalid string', { param: `metadata[${name}]` })
    if (name.length > 40 || value.length > 500) {
      throw invalid('Metadata is too long.', { param: `metadata[${name}]` })
    }
    if (value === '') delete metadata[name]
    else metadata[name] = value
  }
  return metadata
}

/** Reads `created=5`, `created[gte]=5` and `created[lt]=9`. */
export function isInRange(form: StripeForm, name: string, value: number): boolean {
  const range = form[name]
  if (range === undefined) return true
  if (typeof range === 'string') return value === integerOf(form, name)
  return Object.keys(range).every((bound) => {
    const limit = integerOf(range, bound) ?? 0
    if (bound === 'gt') return value > limit
    if (bound === 'gte') return value >= limit
    if (bound === 'lt') return value < limit
    if (bound === 'lte') return value <= limit
    throw invalid(`Received unknown parameter: ${name}[${bound}]`, { code: 'parameter_unknown' })
  })
}

function notAnInteger(text: string, param: string) {
  return invalid(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param })
}
