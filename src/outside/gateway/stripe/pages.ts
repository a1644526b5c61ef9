// Stripe's lists: walked page by page, from an instant on.

import type Stripe from 'stripe'
import { MINUTE, SECOND } from '../../../core/time-units.ts'
import { newCursors } from '../page-cursors.ts'

/** Our clock and Stripe's may differ by this. */
export const SKEW_MS = 5 * MINUTE

/** The most that a list returns at once. */
export const PAGE = 100

interface PageParams {
  readonly limit: number
  readonly starting_after?: string
}

/** The newest first. */
export async function* pages<T extends { readonly id: string }>(
  list: (params: PageParams) => Promise<Pick<Stripe.ApiList<T>, 'data' | 'has_more'>>,
): AsyncGenerator<readonly T[]> {
  const check = newCursors()
  let last: string | undefined
  do {
    if (last !== undefined) check(last)
    const page = await list({ limit: PAGE, ...(last !== undefined && { starting_after: last }) })
    yield page.data
    last = page.has_more ? page.data.at(-1)?.id : undefined
  } while (last !== undefined)
}

export function secondsOf(instant: Date): number {
  return Math.max(0, Math.floor(instant.getTime() / SECOND))
}
