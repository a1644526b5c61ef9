// The leases of deliveries that this process has claimed and not recorded yet. They are short, so
// that another process soon sends what a dead process held. This process renews them while it
// lives, because a mail server may take longer for a message than a lease lasts.

import { after } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { ClaimedDelivery } from './claim-due.ts'

/** Renewed after this part of a lease: one renewal may fail, and the next still comes in time. */
const RENEWED_AFTER = 1 / 3

/** Skips rows that were recorded meanwhile and rows that another process has claimed since. */
const RENEW = `
  UPDATE delivery d SET leased_until = $4
  FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) AS held(account_id, id, attempt)
  WHERE d.account_id = held.account_id AND d.id = held.id AND d.attempt = held.attempt
    AND d.status = 'pending' AND d.leased_until IS NOT NULL
  RETURNING d.id`

interface Held {
  readonly delivery: ClaimedDelivery
  /** No other process claims it before this. */
  until: Date
}

export class Leases {
  readonly #world: World
  readonly #held = new Map<string, Held>()
  #renewing: NodeJS.Timeout | undefined

  constructor(world: World) {
    this.#world = world
  }

  hold(delivery: ClaimedDelivery, until: Date): void {
    this.#held.set(delivery.id, { delivery, until })
    this.#renewing ??= setInterval(() => void this.#renew(), this.#renewEveryMs)
  }

  /** Called when a delivery is recorded or released. */
  release({ id }: ClaimedDelivery): void {
    this.#held.delete(id)
    if (this.#held.size > 0) return
    clearInterval(this.#renewing)
    this.#renewing = undefined
  }

  /**
   * False if this process was suspended for long, so that another may claim it before the next
   * renewal.
   */
  isSafe({ id }: ClaimedDelivery): boolean {
    const until = this.#held.get(id)?.until
    return until !== undefined && until > after(this.#world.clock.now(), this.#renewEveryMs)
  }

  get #renewEveryMs(): number {
    return this.#world.timings.deliveryLeaseMs * RENEWED_AFTER
  }

  async #renew(): Promise<void> {
    const { clock, db, log, timings } = this.#world
    const held = [...this.#held.values()]
    const deliveries = held.map(({ delivery }) => delivery)
    const until = after(clock.now(), timings.deliveryLeaseMs)
    try {
      const rows = await db.queryHot('renew-leases', RENEW, [
        deliveries.map(({ accountId }) => accountId),
        deliveries.map(({ id }) => id),
        deliveries.map(({ attempt }) => attempt),
        until,
      ])
      const renewed = new Set(rows.map(({ id }) => id))
      for (const one of held) if (renewed.has(one.delivery.id)) one.until = until
    } catch (err) {
      log.warn({ err }, 'leases of deliveries were not renewed')
    }
  }
}
