// What a process has counted so far, of the few things that the console's charts show: read from
// the metrics, so that nothing is counted twice.

import { type Metrics, PAYMENT_BUCKETS } from '../telemetry/metrics.ts'

export interface Counts {
  /** Answered by the intake. */
  readonly requests: number
  /** Charges and authorisations, by what the gateway said. */
  readonly approved: number
  readonly declined: number
  /** The same by how long they took: how many in each bucket, and last those beyond them all. */
  readonly durations: readonly number[]
}

export const NO_COUNTS: Counts = {
  requests: 0,
  approved: 0,
  declined: 0,
  durations: Array(PAYMENT_BUCKETS.length + 1).fill(0),
}

/** What somebody waits for at a till; what follows a charge later is another matter. */
const CHARGES: ReadonlySet<unknown> = new Set(['charge', 'pre_auth'])

export async function readCounts(
  of: Pick<Metrics, 'requests' | 'payments' | 'paymentDurations'>,
): Promise<Counts> {
  const [requests, payments, durations] = await Promise.all([
    of.requests.get(),
    of.payments.get(),
    of.paymentDurations.get(),
  ])
  const charges = payments.values.filter(({ labels }) => CHARGES.has(labels.type))
  const sizes = durations.values.filter(({ labels }) => CHARGES.has(labels.type))
  return {
    requests: sum(requests.values.filter(({ metricName }) => metricName?.endsWith('_count'))),
    approved: sum(charges.filter(({ labels }) => labels.outcome === 'approved')),
    declined: sum(charges.filter(({ labels }) => labels.outcome === 'declined')),
    durations: [...PAYMENT_BUCKETS, '+Inf']
      .map((le) => sum(sizes.filter(({ labels }) => 'le' in labels && labels.le === le)))
      // A bucket of the metric holds those below it as well.
      .map((count, at, all) => count - (all[at - 1] ?? 0)),
  }
}

export function countsBetween(before: Counts, now: Counts): Counts {
  return {
    requests: now.requests - before.requests,
    approved: now.approved - before.approved,
    declined: now.declined - before.declined,
    durations: now.durations.map((count, at) => count - (before.durations[at] ?? 0)),
  }
}

export function isNothing({ requests, approved, declined, durations }: Counts): boolean {
  return [requests, approved, declined, ...durations].every((count) => count === 0)
}

function sum(values: readonly { readonly value: number }[]): number {
  return values.reduce((all, { value }) => all + value, 0)
}
