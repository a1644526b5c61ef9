// The lease of a row that a worker has taken. It is short, so that another worker soon takes over
// from one that died, and is renewed while its worker lives: a gateway or a mail server may take
// longer to answer than a lease lasts.

import { after } from './time-units.ts'

/** Renewed after this part of a lease: one renewal may fail, and the next still comes in time. */
const RENEWED_AFTER = 1 / 3

/** The least that is left of a lease whose worker lives. */
export const LEAST_LEFT = 1 - RENEWED_AFTER

export interface Lease {
  readonly ms: number
  /** No other worker takes the row before this. */
  until: Date
  /** Returns nothing if the lease was lost, or the row's work is recorded. */
  renew(from: Date, until: Date): Promise<true | undefined>
}

interface Needs {
  readonly clock: { now(): Date }
  readonly log: { debug(about: { readonly err: unknown }, text: string): void }
}

/**
 * Renews the lease until the work has ended. Most work ends before the first renewal. Work whose
 * lease was lost goes on: the row's `attempt` refuses its result if another worker has taken the
 * row.
 */
export async function whileLeased<T>(
  { clock, log }: Needs,
  lease: Lease,
  work: () => Promise<T>,
): Promise<T> {
  async function renew(): Promise<void> {
    const until = after(clock.now(), lease.ms)
    if (await lease.renew(lease.until, until)) lease.until = until
  }
  const renewing = setInterval(
    () => void renew().catch((err) => log.debug({ err }, 'a lease was not renewed')),
    lease.ms * RENEWED_AFTER,
  )
  try {
    return await work()
  } finally {
    clearInterval(renewing)
  }
}

/** True if this worker was suspended, so that another may take the row before the next renewal. */
export function isShort({ ms, until }: Pick<Lease, 'ms' | 'until'>, now: Date): boolean {
  return after(now, ms * RENEWED_AFTER) > until
}
