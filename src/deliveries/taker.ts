// Takes what is due, as far as there is room for it and, where there is a pace, an instant.

import { after } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { Carrier } from './carrier.ts'
import { BEFORE_ALL_LANES, type Claimed, claimDue, type TakenDelivery } from './claim-due.ts'
import { type Departure, departureOf } from './departure.ts'
import { type Destinations, destinationOf } from './destinations.ts'
import type { Lanes } from './lanes.ts'
import type { Leases } from './leases.ts'
import { giveBack, reserveSlots, type Slots } from './pace.ts'
import { PuttingOff, type Resting } from './put-off.ts'

/** So that nobody takes all the room before it is known who is slow. */
const MOST_A_CLAIM = 256

/** The first may have begun in the middle. */
const ENOUGH_ROUNDS = 2

export type Taking =
  | { readonly kind: 'taken'; readonly departures: readonly Departure[] }
  | { readonly kind: 'nothing due' }
  | { readonly kind: 'not before'; readonly at: Date }

interface TakersNeeds {
  readonly lanes: Lanes
  readonly destinations: Destinations
  readonly leases: Leases
}

export class Taker {
  readonly #world: World
  readonly #carrier: Carrier
  readonly #lanes: Lanes
  readonly #destinations: Destinations
  readonly #leases: Leases
  readonly #puttingOff: PuttingOff
  #after = BEFORE_ALL_LANES
  #lanesSeen = 1
  /** How often it went round all lanes and found nothing. */
  #rounds = 0
  #wasFull = false

  constructor(world: World, carrier: Carrier, { lanes, destinations, leases }: TakersNeeds) {
    this.#world = world
    this.#leases = leases
    this.#carrier = carrier
    this.#lanes = lanes
    this.#destinations = destinations
    this.#puttingOff = new PuttingOff(world, carrier.channel)
  }

  /** Nothing was looked for the last time, since there was no room for it. */
  get wasFull(): boolean {
    return this.#wasFull
  }

  /** Then nothing that was taken here and put off has still to be written down. */
  end(): Promise<void> {
    return this.#puttingOff.end()
  }

  async take(): Promise<Taking> {
    const { channel, perSecond } = this.#carrier
    const room = Math.min(this.#lanes.free, MOST_A_CLAIM)
    this.#wasFull = room <= 0
    if (this.#wasFull) return { kind: 'nothing due' }
    if (perSecond === undefined) return this.#claim(room)
    const slots = await reserveSlots(this.#world, channel, room, perSecond)
    if (slots.count === 0) return { kind: 'not before', at: new Date(slots.againMs) }
    const taking = await this.#claim(slots.count, slots)
    const used = taking.kind === 'taken' ? taking.departures.length : 0
    // What was taken is sent, whether or not others may have the rest of the instants.
    await giveBack(this.#world, channel, slots, used).catch((err) =>
      this.#world.log.warn({ err }, 'instants were not given back'),
    )
    return taking
  }

  async #claim(most: number, slots?: Slots): Promise<Taking> {
    const { channel, timeoutMs } = this.#carrier
    const { clock, timings } = this.#world
    const now = clock.now()
    const leasedUntil = after(now, timings.deliveryLeaseMs)
    const claimed = await claimDue(this.#world, {
      channel,
      now,
      leasedUntil,
      most,
      mostALane: Math.min(this.#lanes.mostALane, Math.ceil((2 * most) / this.#lanesSeen)),
      room: this.#lanes.roomAt(now),
      after: this.#after,
    })
    this.#after = claimed.last
    this.#lanesSeen = Math.max(1, claimed.lanes)
    const admitted = this.#admit(claimed.deliveries, now)
    for (const delivery of admitted) this.#leases.hold(delivery, leasedUntil)
    // Some wait for others of their lane before they are sent.
    const beginBy = after(now, timeoutMs)
    const departures = admitted.map((delivery, i) => departureOf(delivery, beginBy, slots, i))
    return this.#hasSeenAll(claimed) ? { kind: 'nothing due' } : { kind: 'taken', departures }
  }

  /** Puts off those whose destination rests, so that they use up no turn. */
  #admit(claimed: readonly TakenDelivery[], now: Date): readonly TakenDelivery[] {
    if (this.#carrier.perSecond === undefined) return claimed
    const admitted: TakenDelivery[] = []
    const resting: Resting[] = []
    for (const delivery of claimed) {
      const destination = destinationOf(delivery.recipient)
      const until = this.#destinations.admit(destination, now)
      if (until === undefined) admitted.push(delivery)
      else resting.push({ delivery, destination, until })
    }
    this.#puttingOff.start(resting)
    return admitted
  }

  /** And none had anything. More lanes than one claim looks at have their turn in the next. */
  #hasSeenAll({ deliveries, last, hasComeRound }: Claimed): boolean {
    if (deliveries.length > 0) this.#rounds = 0
    else if (last === BEFORE_ALL_LANES) this.#rounds = ENOUGH_ROUNDS
    else if (hasComeRound) this.#rounds += 1
    const isAll = this.#rounds >= ENOUGH_ROUNDS
    if (isAll) this.#rounds = 0
    return isAll
  }
}
