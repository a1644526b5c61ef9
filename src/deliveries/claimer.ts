// Claims due deliveries: as many as there are free places and, for e-mail and SMS, send slots of
// the limit per second.

import { after } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { ChannelAdapter } from './channel-adapter.ts'
import {
  BEFORE_ALL_QUEUES,
  type ClaimedDeliveries,
  type ClaimedDelivery,
  claimDueDeliveries,
} from './claim-due-deliveries.ts'
import {
  type Destinations,
  destinationOf,
  PostponedDeliveries,
  type Resting,
} from './destinations.ts'
import type { Places } from './places.ts'
import { giveBackSlots, reserveSlots, type SlotReservation } from './send-slots.ts'

/** The first pass may have begun in the middle. */
const ENOUGH_ROUNDS = 2

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly planned: readonly PlannedSend[] }
  | { readonly kind: 'nothing due' }
  | { readonly kind: 'not before'; readonly at: Date }

interface ClaimersNeeds {
  readonly places: Places
  /** Ids of the sends of this process that are not recorded yet. */
  readonly inHand: () => readonly string[]
  readonly destinations: Destinations
}

export class Claimer {
  readonly #world: World
  readonly #adapter: ChannelAdapter
  readonly #needs: ClaimersNeeds
  readonly #postponed: PostponedDeliveries
  #after = BEFORE_ALL_QUEUES
  /** How many queues with due rows the last claim found. */
  #queuesSeen = 1
  /** Passes over all recipient queues in a row that found nothing. */
  #rounds = 0

  constructor(world: World, adapter: ChannelAdapter, needs: ClaimersNeeds) {
    this.#world = world
    this.#adapter = adapter
    this.#needs = needs
    this.#postponed = new PostponedDeliveries(world, adapter.channel)
  }

  /** Resolves when every postponement is written. */
  end(): Promise<void> {
    return this.#postponed.end()
  }

  async claim(): Promise<ClaimResult> {
    const { channel, perSecond } = this.#adapter
    const { free } = this.#needs.places
    if (free <= 0) return { kind: 'nothing due' }
    if (perSecond === undefined) return this.#claimRows(free)
    const reservation = await reserveSlots(this.#world, channel, free, perSecond)
    if (reservation.count === 0) return { kind: 'not before', at: new Date(reservation.againMs) }
    const result = await this.#claimRows(reservation.count, reservation)
    const used = result.kind === 'claimed' ? result.planned.length : 0
    // The claimed rows are sent even if the unused slots cannot be given back.
    await giveBackSlots(this.#world, channel, reservation, used).catch((err) =>
      this.#world.log.warn({ err }, 'unused send slots were not given back'),
    )
    return result
  }

  async #claimRows(most: number, reservation?: SlotReservation): Promise<ClaimResult> {
    const { clock, timings } = this.#world
    const now = clock.now()
    const leasedUntil = after(now, timings.deliveryLeaseMs)
    const { room } = this.#needs.places
    const claimed = await claimDueDeliveries(this.#world, {
      channel: this.#adapter.channel,
      now,
      leasedUntil,
      most,
      room: {
        ...room,
        // Twice an even share: enough if some queues have less, and few rows are locked in vain.
        mostAQueue: Math.min(room.mostAQueue, Math.ceil((2 * most) / this.#queuesSeen)),
      },
      after: this.#after,
      inHand: this.#needs.inHand(),
    })
    this.#after = claimed.last
    this.#queuesSeen = Math.max(1, claimed.queues)
    const admitted = this.#admit(claimed.deliveries, now)
    const planned = admitted.map((delivery, i) => ({
      delivery,
      leasedUntil,
      slot: reservation && { reservation, atMs: reservation.firstMs + i * reservation.stepMs },
    }))
    return this.#hasSeenAll(claimed) ? { kind: 'nothing due' } : { kind: 'claimed', planned }
  }

  /** Postpones deliveries to a resting destination, so that they use no send slot. */
  #admit(claimed: readonly ClaimedDelivery[], now: Date): readonly ClaimedDelivery[] {
    if (this.#adapter.perSecond === undefined) return claimed
    const admitted: ClaimedDelivery[] = []
    const resting: Resting[] = []
    for (const delivery of claimed) {
      const destination = destinationOf(delivery.recipient)
      const until = this.#needs.destinations.admit(destination, now)
      if (until === undefined) admitted.push(delivery)
      else resting.push({ delivery, destination, until })
    }
    this.#postponed.start(resting)
    return admitted
  }

  /** True when no recipient queue has due rows; one claim may look at only some of them. */
  #hasSeenAll({ deliveries, last, hasComeRound }: ClaimedDeliveries): boolean {
    if (deliveries.length > 0) this.#rounds = 0
    else if (last === BEFORE_ALL_QUEUES) this.#rounds = ENOUGH_ROUNDS
    else if (hasComeRound) this.#rounds += 1
    const isAll = this.#rounds >= ENOUGH_ROUNDS
    if (isAll) this.#rounds = 0
    return isAll
  }
}

/** A claimed delivery, and its send slot if the channel has a limit per second. */
export interface PlannedSend {
  readonly delivery: ClaimedDelivery
  readonly leasedUntil: Date
  readonly slot: SendSlot | undefined
}

export interface SendSlot {
  readonly reservation: SlotReservation
  readonly atMs: number
}
