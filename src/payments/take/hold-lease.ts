// The lease of a payment that a worker has taken. It is short, so that another worker soon asks
// what became of a payment whose worker died, and is renewed while the worker lives: a gateway may
// take longer to answer than a lease lasts.

import { after } from '../../core/time-units.ts'
import { gatheredStatement, type InputOf } from '../../db/gathered.ts'
import type { World } from '../../world.ts'
import type { Taken } from './take-payment.ts'

/** Renewed after this part of a lease: one renewal may fail, and the next still comes in time. */
const RENEWED_AFTER = 1 / 3

/** The least that is left of the lease of a payment whose worker lives. */
export const LEAST_LEFT = 1 - RENEWED_AFTER

const RENEWAL = {
  accountId: 'uuid',
  id: 'uuid',
  /**
   * The due time that this worker wrote. A row with another one was taken, recorded or made due
   * since.
   */
  leasedUntil: 'timestamptz',
  renewedUntil: 'timestamptz',
} as const

export const renewLease = gatheredStatement<InputOf<typeof RENEWAL>, true>({
  name: 'renew-lease',
  columns: RENEWAL,
  // An equation of due times would be looked up in their index, and not the row by its key.
  text: (input) => `
    WITH ${input}
    UPDATE transaction t SET due_at = i.renewed_until
    FROM input i
    WHERE t.account_id = i.account_id AND t.id = i.id
      AND t.due_at IS NOT DISTINCT FROM i.leased_until
    RETURNING i.ord`,
  read: () => true,
})

/**
 * Renews the lease until the work has ended. Most payments are decided before the first renewal.
 * Work whose lease was lost goes on: the row's `attempt` refuses its result if another worker has
 * taken the row.
 */
export async function whileLeased<T>(
  world: World,
  taken: Taken,
  work: () => Promise<T>,
): Promise<T> {
  const { accountId, id } = taken
  const { clock, db, log, timings } = world
  let { leasedUntil } = taken
  async function renew(): Promise<void> {
    const renewedUntil = after(clock.now(), timings.paymentLeaseMs)
    const renewed = await db.ask(renewLease, { accountId, id, leasedUntil, renewedUntil })
    if (renewed) leasedUntil = renewedUntil
  }
  const renewing = setInterval(
    () => void renew().catch((err) => log.debug({ err, id }, 'a lease was not renewed')),
    timings.paymentLeaseMs * RENEWED_AFTER,
  )
  try {
    return await work()
  } finally {
    clearInterval(renewing)
  }
}

/**
 * True if this worker was suspended since the take, so that another may take the payment before it
 * is asked for.
 */
export function isLeaseShort({ clock, timings }: World, { leasedUntil }: Taken): boolean {
  return after(clock.now(), timings.paymentLeaseMs * RENEWED_AFTER) > leasedUntil
}
