// Walks Stripe's lists, page by page.

import type Stripe from 'stripe'
import { SECOND } from '../../../core/time-units.ts'
import { PAGE } from './look-up.ts'

interface PageParams {
  readonly limit: number
  readonly starting_after?: string
}

/** The newest first. */
export async function* pages<T extends { readonly id: string }>(
  list: (params: PageParams) => Promise<Pick<Stripe.ApiList<T>, 'data' | 'has_more'>>,
): AsyncGenerator<readonly T[]> {
  let last: string | undefined
  do {
    const page = await list({ limit: PAGE, ...(last !== undefined && { starting_after: last }) })
    yield page.data
    last = page.has_more ? page.data.at(-1)?.id : undefined
  } while (last !== undefined)
}

export function secondsOf(instant: Date): number {
  return Math.max(0, Math.floor(instant.getTime() / SECOND))
}
