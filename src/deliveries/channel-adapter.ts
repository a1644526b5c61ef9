// How the deliveries of one channel are sent. The modules `messages` and `webhooks` say what is
// sent; this module says when, how many at once and in which order, and records the answers.

import type { DeliveryChannel, SendAnswer } from '../core/delivery.ts'
import type { World } from '../world.ts'
import type { ClaimedDelivery } from './claim-due-deliveries.ts'

export interface ChannelAdapter {
  readonly channel: DeliveryChannel
  /** Sends under way at once, in each process. */
  readonly atOnce: number
  /** The same for one endpoint. Absent for messages: an account has one recipient queue of them. */
  readonly atOnceAnEndpoint?: number
  /** How long a provider may take to answer. */
  readonly timeoutMs: number
  /**
   * Messages a second, over all processes together, if one provider takes all of a channel. While
   * that provider is away, nothing is sent. Undefined for webhooks: each endpoint is on its own.
   */
  readonly perSecond: number | undefined
  /** An error that it throws is a fault of the service, and counts as a try of this delivery. */
  send(world: World, delivery: ClaimedDelivery, timeLimit: TimeLimit): Promise<SendAnswer>
}

/**
 * Starts the time limit of the provider. Called just before it is asked, so that it has the whole
 * time even if our database was slow. It throws if another process may have the delivery by now.
 */
export type TimeLimit = () => AbortSignal
