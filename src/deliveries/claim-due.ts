// Takes what is due of a channel, lane by lane: who has fifty thousand to send has his turn, and
// whoever has one has hers.

import type { DeliveryChannel } from '../core/delivery.ts'
import { columnsOf } from '../db/columns.ts'
import type { Delivery } from '../generated/client.ts'
import type { World } from '../world.ts'

/** What must be known to send it and to say what became of it. */
const TAKEN = [
  'accountId',
  'id',
  'channel',
  'lane',
  'subject',
  'subjectId',
  'recipient',
  'attempt',
  'tries',
  'owedAt',
  'requestId',
  'createdAt',
] as const

export type TakenDelivery = Pick<Delivery, (typeof TAKEN)[number]>

export interface Claim {
  readonly channel: DeliveryChannel
  readonly now: Date
  /** Until when nobody else will look at them. */
  readonly leasedUntil: Date
  readonly most: number
  /** Of a lane, where `room` does not say less. */
  readonly mostALane: number
  /** How many more may go to a lane. */
  readonly room: ReadonlyMap<string, number>
  /** The last lane that had its turn. */
  readonly after: string
}

export interface Claimed {
  readonly deliveries: readonly TakenDelivery[]
  /** Lanes with anything due among those looked at. */
  readonly lanes: number
  /** The one after which to go on; before the first lane, once all had their turn. */
  readonly last: string
  /** It went on from the first lane after the last. */
  readonly hasComeRound: boolean
}

export const BEFORE_ALL_LANES = '00000000-0000-0000-0000-000000000000'

/** Lanes looked at in one go, whether or not anything of theirs is due yet. */
const MOST_LANES = 200

const delivery = columnsOf<TakenDelivery>('Delivery', 'd', [], TAKEN)

/**
 * The lanes are found by stepping along the index from one to the next, so that it does not matter
 * how much each of them owes. Of each its oldest; all first ones go before any second one. Where
 * not all had their turn, the next claim goes on after the one that had the last.
 *
 * A lease that ends long after ours would is of a wrong clock, and keeps nobody away.
 *
 * What is locked stays where it is in its table, so its place there finds it again.
 */
const CLAIM = `
  WITH RECURSIVE step AS (
    SELECT $7::uuid AS id, 0 AS place, false AS is_round
    UNION ALL
    SELECT next.id, place + 1, is_round OR next.is_first
    FROM step
    CROSS JOIN LATERAL (
      SELECT (
        SELECT d.lane FROM delivery d
        WHERE d.channel = $1::delivery_channel AND d.due_at IS NOT NULL AND d.lane > step.id
        ORDER BY d.lane LIMIT 1
      ) AS id
      OFFSET 0
    ) later
    CROSS JOIN LATERAL (
      SELECT CASE WHEN later.id IS NOT NULL THEN later.id WHEN NOT is_round THEN (
        SELECT d.lane FROM delivery d
        WHERE d.channel = $1::delivery_channel AND d.due_at IS NOT NULL
        ORDER BY d.lane LIMIT 1
      ) END AS id, later.id IS NULL AS is_first
      OFFSET 0
    ) next
    WHERE place < ${MOST_LANES} AND next.id IS NOT NULL
      AND NOT ((is_round OR next.is_first) AND next.id > $7::uuid)
  ),
  lane AS (SELECT id, place, is_round FROM step WHERE place > 0),
  due AS (
    SELECT d.place_in_table, lane.id AS lane, lane.place,
      row_number() OVER (PARTITION BY lane.id ORDER BY d.due_at) AS turn
    FROM lane
    LEFT JOIN unnest($5::uuid[], $6::integer[]) AS busy(lane, room) ON busy.lane = lane.id
    CROSS JOIN LATERAL (
      SELECT ctid AS place_in_table, due_at FROM delivery
      WHERE channel = $1::delivery_channel AND lane = lane.id AND due_at <= $2
        AND (leased_until IS NULL OR leased_until <= $2
          OR leased_until > $8::timestamptz + interval '1 minute')
      ORDER BY due_at
      LIMIT least($4::integer, busy.room)
      FOR UPDATE SKIP LOCKED
    ) d
  ),
  chosen AS (SELECT * FROM due ORDER BY turn, place LIMIT $3::integer),
  taken AS (
    UPDATE delivery d SET attempt = attempt + 1, leased_until = $8
    WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM chosen))
    RETURNING ${delivery.list}
  )
  SELECT taken.*, seen.*
  FROM (
    SELECT (SELECT count(DISTINCT lane) FROM due)::integer AS lanes,
      CASE
        WHEN (SELECT count(*) FROM chosen) = $3::integer
          THEN (SELECT lane FROM chosen ORDER BY turn DESC, place DESC LIMIT 1)
        ELSE (SELECT id FROM lane WHERE place = ${MOST_LANES})
      END AS last,
      EXISTS (SELECT FROM lane WHERE is_round) AS has_come_round
  ) seen
  LEFT JOIN taken ON true`

export async function claimDue(world: World, claim: Claim): Promise<Claimed> {
  const rows = await world.db.queryHot('claim-due', CLAIM, [
    claim.channel,
    claim.now,
    claim.most,
    claim.mostALane,
    [...claim.room.keys()],
    [...claim.room.values()],
    claim.after,
    claim.leasedUntil,
  ])
  return {
    deliveries: rows.filter((row) => row.d_id !== null).map(delivery.read),
    lanes: rows[0]?.lanes ?? 0,
    last: rows[0]?.last ?? BEFORE_ALL_LANES,
    hasComeRound: rows[0]?.has_come_round ?? false,
  }
}
