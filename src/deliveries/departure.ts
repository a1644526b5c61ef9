// A delivery that was taken, and when it may be sent.

import type { TakenDelivery } from './claim-due.ts'
import type { Slots } from './pace.ts'

export interface Departure {
  readonly delivery: TakenDelivery
  /** Later, somebody else may as well take it. */
  readonly beginBy: Date
  /** Its turn, where the channel has a pace. */
  readonly slots?: Slots
  readonly atMs?: number
}

export function departureOf(
  delivery: TakenDelivery,
  beginBy: Date,
  slots: Slots | undefined,
  i: number,
): Departure {
  return slots === undefined
    ? { delivery, beginBy }
    : { delivery, beginBy, slots, atMs: slots.firstMs + i * slots.stepMs }
}
