// The limit of messages per second, over all processes together. One row of PostgreSQL for each
// channel (`provider_pace`) hands out send slots: the instant at which one message may be sent.
// While the provider is away the row hands out single slots only, as probes.
//
// Slots lie a little further apart than the limit requires, so that a message that is a little late
// keeps the limit; one that is later delays all slots that follow. So no second, wherever it
// begins, sees more than the limit. BullMQ's limiter cannot promise that: it counts jobs that begin
// in fixed windows, and a job may send its message late.

import type { Backoff } from '../core/backoff.ts'
import type { DeliveryChannel } from '../core/delivery.ts'
import { MINUTE, SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'

/** Slots that this process may use, or none for now. */
export interface SlotReservation {
  readonly count: number
  /** The instant of the first; the others follow in even steps. */
  readonly firstMs: number
  readonly stepMs: number
  /** When to ask again if there are none. */
  readonly againMs: number
  /** How far late messages had put the row off when these slots were given out. */
  readonly putOffMs: number
  /** The provider was away: this slot tests whether it is back. */
  readonly isProbe: boolean
}

/** How late a message may be without delaying others, in each second. */
const SLACK_MS = 30

/** How far ahead slots are handed out: the next caller may have to wait this long. */
const AHEAD_MS = 250

/** While the provider is away one probe is under way; after this long another is allowed. */
const PROBE_MS = 30 * SECOND

/** How long an unavailable provider rests. */
const REST: Backoff = { firstMs: SECOND, mostMs: MINUTE }

/** For a provider that asks for a pause and does not say how long. */
const THROTTLED_MS = 4 * SECOND

const RESERVE = `
  WITH pace AS (
    SELECT *, greatest(next_ms, $2::float8) AS first_ms
    FROM provider_pace WHERE channel = $1::delivery_channel
    FOR UPDATE
  ),
  granted AS (
    SELECT *, CASE WHEN resting_until_ms > $2::float8 THEN 0
      ELSE greatest(0, least(
        CASE WHEN failures > 0 THEN 1 ELSE $3::integer END,
        floor(($2::float8 + $5::float8 - first_ms) / $4::float8)::integer + 1)) END AS count
    FROM pace
  )
  UPDATE provider_pace p SET
    next_ms = CASE WHEN g.count > 0 THEN g.first_ms + g.count * $4::float8 ELSE p.next_ms END,
    resting_until_ms = CASE WHEN g.count > 0 AND g.failures > 0
      THEN $2::float8 + $6::float8 ELSE p.resting_until_ms END
  FROM granted g WHERE p.channel = g.channel
  RETURNING g.count, g.first_ms, g.put_off_ms, g.failures > 0 AS is_probe,
    greatest(g.resting_until_ms, g.first_ms - $5::float8 + $4::float8) AS again_ms`

/** Reserves as many as are free, `want` at most. */
export async function reserveSlots(
  world: World,
  channel: DeliveryChannel,
  want: number,
  perSecond: number,
): Promise<SlotReservation> {
  const stepMs = (SECOND + SLACK_MS) / perSecond
  const now = world.clock.now().getTime()
  const [row] = await world.db.query(RESERVE, [channel, now, want, stepMs, AHEAD_MS, PROBE_MS])
  if (row === undefined) throw new Error(`there is no pace for ${channel}`)
  return {
    count: row.count,
    firstMs: row.first_ms,
    stepMs,
    againMs: row.again_ms,
    putOffMs: row.put_off_ms,
    isProbe: row.is_probe,
  }
}

const GIVE_BACK = `
  UPDATE provider_pace SET next_ms = $3::float8,
    resting_until_ms = CASE WHEN $4::boolean THEN 0 ELSE resting_until_ms END
  WHERE channel = $1::delivery_channel AND next_ms = $2::float8`

/**
 * Returns unused slots, unless later ones were handed out since. After a probe that was not sent
 * another is allowed at once.
 */
export async function giveBackSlots(
  world: World,
  channel: DeliveryChannel,
  { firstMs, stepMs, count, isProbe }: SlotReservation,
  used: number,
): Promise<void> {
  const [end, next] = [firstMs + count * stepMs, firstMs + used * stepMs]
  if (used < count) await world.db.query(GIVE_BACK, [channel, end, next, isProbe])
}

const PUT_OFF = `
  UPDATE provider_pace SET next_ms = next_ms + $2::float8 - put_off_ms, put_off_ms = $2::float8
  WHERE channel = $1::delivery_channel AND put_off_ms < $2::float8`

/** A late message delays all slots that follow, but no further than others already did. */
export async function noteLate(
  world: World,
  channel: DeliveryChannel,
  { putOffMs }: SlotReservation,
  lateMs: number,
): Promise<void> {
  if (lateMs > SLACK_MS) await world.db.query(PUT_OFF, [channel, putOffMs + lateMs - SLACK_MS])
}

const ANSWERED = `
  UPDATE provider_pace SET failures = 0, resting_until_ms = 0
  WHERE channel = $1::delivery_channel AND failures > 0`

/** The provider answered: it is no longer away. */
export async function noteAnswered(world: World, channel: DeliveryChannel): Promise<void> {
  await world.db.query(ANSWERED, [channel])
}

const AWAY = `
  UPDATE provider_pace SET failures = failures + 1,
    resting_until_ms = $2::float8 + least($4::float8, $3::float8 * 2 ^ least(failures, 20))
  WHERE channel = $1::delivery_channel AND (failures = 0 OR $5::boolean)`

const THROTTLED = `
  UPDATE provider_pace SET resting_until_ms = greatest(resting_until_ms, $2::float8)
  WHERE channel = $1::delivery_channel`

/**
 * The provider could not be reached: it rests, longer each time. Messages that were under way
 * together count once.
 */
export async function noteAway(
  world: World,
  channel: DeliveryChannel,
  isProbe: boolean,
): Promise<void> {
  const now = world.clock.now().getTime()
  await world.db.query(AWAY, [channel, now, REST.firstMs, REST.mostMs, isProbe])
}

/** The provider asked for a pause. */
export async function noteThrottled(
  world: World,
  channel: DeliveryChannel,
  waitMs = THROTTLED_MS,
): Promise<void> {
  await world.db.query(THROTTLED, [channel, world.clock.now().getTime() + waitMs])
}
