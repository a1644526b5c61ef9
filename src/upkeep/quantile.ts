// How long most of them took, of payments that are known by their buckets only.

import { PAYMENT_BUCKETS } from '../telemetry/metrics.ts'

/**
 * As Prometheus reckons it: within a bucket they are taken to lie evenly, and beyond the last one
 * all that is known is where it ends.
 */
export function quantileOf(share: number, buckets: readonly number[]): number | null {
  const total = buckets.reduce((all, count) => all + count, 0)
  if (total === 0) return null
  const rank = share * total
  let below = 0
  for (const [place, count] of buckets.entries()) {
    const [from, to] = [PAYMENT_BUCKETS[place - 1] ?? 0, PAYMENT_BUCKETS[place]]
    if (to === undefined) return from
    if (count > 0 && below + count >= rank) return from + ((to - from) * (rank - below)) / count
    below += count
  }
  return PAYMENT_BUCKETS.at(-1) ?? null
}
