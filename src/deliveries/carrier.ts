// How one channel carries its deliveries. The rooms above say what is sent; this room says when,
// how many at once, in whose turn, and what becomes of it.

import type { DeliveryChannel, SendAnswer } from '../core/delivery.ts'
import type { World } from '../world.ts'
import type { TakenDelivery } from './claim-due.ts'

export interface Carrier {
  readonly channel: DeliveryChannel
  /** On their way at once, from each process. */
  readonly atOnce: number
  /** The same of one lane, so that a slow one leaves room for others. */
  readonly atOnceALane: number
  /** How long a provider may take to answer. */
  readonly timeoutMs: number
  /**
   * Where one provider takes all of a channel: messages a second, over all processes together.
   * While it is away, nobody's are sent. Undefined: each lane has one of its own.
   */
  readonly perSecond: number | undefined
  /** What it throws is a fault of ours, and one try of this delivery. */
  send(world: World, delivery: TakenDelivery, timeLimit: TimeLimit): Promise<SendAnswer>
}

/**
 * How long the provider may take from now on: called just before it is asked, so that it has all of
 * its time however long our own database takes before.
 */
export type TimeLimit = () => AbortSignal
