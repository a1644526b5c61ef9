// Lists in Stripe's form: the newest first, in pages, from a cursor.

import { integerOf, isInRange, textOf } from './fields.ts'
import type { StripeForm } from './form.ts'
import { invalid, noSuch } from './refusals.ts'

interface Listed {
  readonly id: string
}

export interface StripeList<Item> {
  readonly object: 'list'
  readonly url: string
  readonly has_more: boolean
  readonly data: readonly Item[]
}

/** The items come in the order of their creation. */
export function listPage<Item extends Listed>(
  url: string,
  form: StripeForm,
  items: Iterable<Item>,
): StripeList<Item> {
  const all = [...items].reverse().filter((item) => isInRange(form, 'created', createdOf(item)))
  const limit = limitOf(form)
  const after = textOf(form, 'starting_after')
  const before = textOf(form, 'ending_before')
  if (before !== undefined) {
    const rest = all.slice(0, placeOf(all, before, 'ending_before'))
    return { object: 'list', url, has_more: rest.length > limit, data: rest.slice(-limit) }
  }
  const rest = after === undefined ? all : all.slice(placeOf(all, after, 'starting_after') + 1)
  return { object: 'list', url, has_more: rest.length > limit, data: rest.slice(0, limit) }
}

export function limitOf(form: StripeForm): number {
  const limit = integerOf(form, 'limit') ?? 10
  if (limit < 1 || limit > 100) {
    throw invalid('The limit must be between 1 and 100.', {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  }
  return limit
}

function createdOf(item: Listed): number {
  return 'created' in item && typeof item.created === 'number' ? item.created : 0
}

function placeOf(items: readonly Listed[], id: string, param: string): number {
  const place = items.findIndex((item) => item.id === id)
  if (place < 0) throw noSuch('object', id, param)
  return place
}
