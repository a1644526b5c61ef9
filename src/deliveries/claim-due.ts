// Claims due deliveries of a channel in turns between recipient queues ("lanes"): a team with
// 50,000 deliveries does not delay a team with one. A recipient queue is an endpoint, or an
// account's e-mails, or its texts.

import type { DeliveryChannel } from '../core/delivery.ts'
import { columnsOf } from '../db/columns.ts'
import type { Delivery } from '../generated/client.ts'
import type { World } from '../world.ts'

/** What is needed to send a delivery and to record the answer. */
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
  'isScheduled',
  'createdAt',
] as const

export type TakenDelivery = Pick<Delivery, (typeof TAKEN)[number]>

interface DeliveryClaim {
  readonly channel: DeliveryChannel
  readonly now: Date
  /** Until then no other process claims them. */
  readonly leasedUntil: Date
  readonly most: number
  /** At most this many of a lane, unless `room` says less. */
  readonly mostALane: number
  /** At most this many of the lanes that it names. */
  readonly room: ReadonlyMap<string, number>
  /** The last lane that had its turn. */
  readonly after: string
}

export interface ClaimedDeliveries {
  readonly deliveries: readonly TakenDelivery[]
  /** How many of the lanes looked at have due rows. */
  readonly lanes: number
  /** The lane after which the next claim continues; `BEFORE_ALL_LANES` if all had their turn. */
  readonly last: string
  /** It passed the last lane and continued with the first. */
  readonly hasComeRound: boolean
}

export const BEFORE_ALL_LANES = '00000000-0000-0000-0000-000000000000'

/** Lanes looked at in one claim, whether or not they have due rows. */
const MOST_LANES = 200

/** The deliveries of paused endpoints wait. Messages to people have no endpoint. */
export const PAUSED_LANES = 'SELECT id FROM webhook WHERE paused_at IS NOT NULL'

const delivery = columnsOf<TakenDelivery>('Delivery', 'd', [], TAKEN)

/**
 * The statement steps along the index from lane to lane, so its cost does not depend on how many
 * rows each has. It takes the oldest row of every lane before the second of any. If not all lanes
 * had their turn, the next claim continues after the last one.
 *
 * A lease that ends long after ours was written by a process with a wrong clock, and is ignored.
 *
 * A locked row does not move, so its `ctid` finds it again.
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
    WHERE lane.id NOT IN (${PAUSED_LANES})
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

export async function claimDueDeliveries(
  world: World,
  claim: DeliveryClaim,
): Promise<ClaimedDeliveries> {
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
