// Destinations: the mail domains and phone numbers that messages go to. One provider takes all
// messages of a channel, but it may hang for one destination: that destination then rests, longer
// each time, and its due rows are postponed, because other messages of the account wait behind.
// A provider that hangs for several destinations, and answers about none, hangs for everybody.

import { type Backoff, backoffMs } from '../core/backoff.ts'
import type { DeliveryChannel } from '../core/delivery.ts'
import { after, MINUTE, SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { ClaimedDelivery } from './claim-due-deliveries.ts'
import { releaseDelivery } from './record-attempt.ts'

const REST: Backoff = { firstMs: SECOND, mostMs: MINUTE }

/** A destination without an answer yet may hang: more sends than these are postponed. */
const MOST_UNTRIED = 2

/** When this many hang and none answers in between, it is the provider that hangs. */
const HANGING_FOR_ALL = 3

/** How many destinations are remembered; the least recently used one is forgotten first. */
const MOST_KNOWN = 10_000

interface Destination {
  sending: number
  /** Its last send was answered in good time, or needed no answer. */
  isTrusted: boolean
  /** A send was slow or had no answer, and none has been answered since. */
  isHanging: boolean
  /** Rests since its last answer. */
  rests: number
  restsUntil: Date | undefined
}

/** The domain in lower case, or the phone number. */
export function destinationOf(recipient: string): string {
  return recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase()
}

export class Destinations {
  /** The least recently used one first. */
  readonly #known = new Map<string, Destination>()
  /** Destinations that have hung since the provider last answered about any. */
  readonly #hanging = new Set<string>()

  /** Counts a send, or returns until when it is postponed. */
  admit(id: string, now: Date): Date | undefined {
    const one = this.#known.get(id) ?? newDestination()
    this.#known.delete(id)
    this.#known.set(id, one)
    this.#forgetOld()
    if (one.restsUntil !== undefined && one.restsUntil > now) return one.restsUntil
    const mostUntrusted = one.rests > 0 ? 1 : MOST_UNTRIED
    if (!one.isTrusted && one.sending >= mostUntrusted) return rest(one, now)
    one.sending += 1
    return undefined
  }

  /** Called when a send ends, whatever the answer. */
  release(id: string): void {
    const one = this.#known.get(id)
    if (one !== undefined) one.sending -= 1
  }

  /** The provider answered, so it hangs neither for this destination nor for everybody. */
  markAnswered(id: string): void {
    this.#hanging.clear()
    const one = this.#known.get(id)
    if (one !== undefined) trust(one)
  }

  /**
   * The provider was not to be asked, so no other send waits for its answer. Without this the
   * messages to an address that gets none would rest ever longer: nothing to it is ever answered.
   */
  markUnsent(id: string): void {
    const one = this.#known.get(id)
    if (one !== undefined && !one.isHanging) trust(one)
  }

  /** Called when a send is slow, and after no answer, or one that may concern it alone. */
  markHanging(id: string, now: Date): void {
    this.#hanging.add(id)
    const one = this.#known.get(id)
    if (one === undefined) return
    one.isTrusted = false
    one.isHanging = true
    if (one.restsUntil === undefined || one.restsUntil <= now) rest(one, now)
  }

  /** The provider hangs, not single destinations. */
  get isHangingForAll(): boolean {
    return this.#hanging.size >= HANGING_FOR_ALL
  }

  #forgetOld(): void {
    for (const [id, { sending }] of this.#known) {
      if (this.#known.size <= MOST_KNOWN) return
      if (sending === 0) this.#known.delete(id)
    }
  }
}

function newDestination(): Destination {
  return { sending: 0, isTrusted: false, isHanging: false, rests: 0, restsUntil: undefined }
}

function trust(one: Destination): void {
  one.isTrusted = true
  one.isHanging = false
  one.rests = 0
  one.restsUntil = undefined
}

function rest(one: Destination, now: Date): Date {
  one.rests += 1
  one.restsUntil = after(now, backoffMs(REST, one.rests))
  return one.restsUntil
}

/** Rows of one statement; if all of them were postponed, there may be more. */
const MOST_ROWS = 1_000

/**
 * A destination that rests for longer than this hangs. One message at a time tests it; the others
 * come back less often.
 */
const SHORT_REST_MS = SECOND
const CROWD_REST_MS = 30 * SECOND

/** `[^@]*$` is the same part of the recipient as in `destinationOf`. */
const PUT_OFF = `
  WITH oldest AS MATERIALIZED (
    SELECT ctid AS place_in_table, recipient FROM delivery
    WHERE channel = $1::delivery_channel AND lane = $2::uuid AND due_at <= $3
      AND (leased_until IS NULL OR leased_until <= $3)
    ORDER BY due_at LIMIT ${MOST_ROWS}
    FOR UPDATE SKIP LOCKED
  )
  UPDATE delivery SET due_at = $5 WHERE ctid = ANY (ARRAY(
    SELECT place_in_table FROM oldest
    WHERE lower(substring(recipient FROM '[^@]*$')) = $4::text
  ))
  RETURNING 1`

export interface Resting {
  readonly delivery: ClaimedDelivery
  readonly destination: string
  readonly until: Date
}

export class PostponedDeliveries {
  readonly #world: World
  readonly #channel: DeliveryChannel
  readonly #underWay = new Set<Promise<void>>()
  /** Recipient queue and destination, of postponements under way. */
  readonly #crowds = new Set<string>()

  constructor(world: World, channel: DeliveryChannel) {
    this.#world = world
    this.#channel = channel
  }

  /** Not awaited: other rows of the queue are claimed meanwhile. */
  start(resting: readonly Resting[]): void {
    for (const one of resting) {
      this.#watch(this.#release(one))
      const crowd = `${one.delivery.lane} ${one.destination}`
      if (this.#crowds.has(crowd)) continue
      this.#crowds.add(crowd)
      this.#watch(this.#postponeOthers(one).finally(() => this.#crowds.delete(crowd)))
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  #watch(work: Promise<void>): void {
    const watched = work
      .catch((err) => this.#world.log.warn({ err }, 'deliveries were not postponed'))
      .finally(() => this.#underWay.delete(watched))
    this.#underWay.add(watched)
  }

  async #release({ delivery: { accountId, id, attempt }, until }: Resting): Promise<void> {
    await this.#world.db.ask(releaseDelivery, { accountId, id, attempt, dueAt: until })
    this.#world.queues.startRoundAt(this.#channel, until)
  }

  async #postponeOthers({ delivery, destination, until }: Resting): Promise<void> {
    const { clock, db, queues } = this.#world
    const now = clock.now()
    const isShort = until.getTime() - now.getTime() <= SHORT_REST_MS
    const othersUntil = isShort ? until : after(now, CROWD_REST_MS)
    const values = [this.#channel, delivery.lane, now, destination, othersUntil]
    let count = 0
    do {
      count = (await db.queryHot('put-off', PUT_OFF, values)).length
    } while (count === MOST_ROWS)
    queues.startRoundAt(this.#channel, othersUntil)
  }
}
