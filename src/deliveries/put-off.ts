// Puts off what is due for a destination that rests, by its rows: behind ten thousand of them stand
// the other messages of the same account.

import type { DeliveryChannel } from '../core/delivery.ts'
import { after, SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { TakenDelivery } from './claim-due.ts'
import { releaseDelivery } from './record-attempt.ts'

/** Rows looked at in one statement; where all of them were put off, there may be more. */
const MOST_ROWS = 1_000

/**
 * A destination that rests for longer than this hangs. One message at a time finds out whether it
 * still does: the others need not come back as often as that one.
 */
const SHORT_REST_MS = SECOND
const CROWD_REST_MS = 30 * SECOND

/** `[^@]*$` is what `destinationOf` takes. */
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
  readonly delivery: TakenDelivery
  readonly destination: string
  readonly until: Date
}

export class PuttingOff {
  readonly #world: World
  readonly #channel: DeliveryChannel
  readonly #underWay = new Set<Promise<void>>()
  /** Lanes and destinations whose other deliveries are being put off. */
  readonly #crowds = new Set<string>()

  constructor(world: World, channel: DeliveryChannel) {
    this.#world = world
    this.#channel = channel
  }

  /** Nobody waits for it: others of the lane are claimed meanwhile. */
  start(resting: readonly Resting[]): void {
    for (const one of resting) {
      this.#watch(this.#release(one))
      const crowd = `${one.delivery.lane} ${one.destination}`
      if (this.#crowds.has(crowd)) continue
      this.#crowds.add(crowd)
      this.#watch(this.#putOffOthers(one).finally(() => this.#crowds.delete(crowd)))
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  #watch(work: Promise<void>): void {
    const watched = work
      .catch((err) => this.#world.log.warn({ err }, 'deliveries were not put off'))
      .finally(() => this.#underWay.delete(watched))
    this.#underWay.add(watched)
  }

  async #release({ delivery: { accountId, id, attempt }, until }: Resting): Promise<void> {
    await this.#world.db.ask(releaseDelivery, { accountId, id, attempt, dueAt: until })
    this.#world.queues.promptAt(this.#channel, until)
  }

  async #putOffOthers({ delivery, destination, until }: Resting): Promise<void> {
    const { clock, db, queues } = this.#world
    const now = clock.now()
    const isShort = until.getTime() - now.getTime() <= SHORT_REST_MS
    const othersUntil = isShort ? until : after(now, CROWD_REST_MS)
    const values = [this.#channel, delivery.lane, now, destination, othersUntil]
    let count = 0
    do {
      count = (await db.queryHot('put-off', PUT_OFF, values)).length
    } while (count === MOST_ROWS)
    queues.promptAt(this.#channel, othersUntil)
  }
}
