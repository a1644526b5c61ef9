// Claims due deliveries of a channel in turns between recipient queues: a team with 50,000
// deliveries does not delay a team with one. A recipient queue holds the deliveries to an endpoint,
// or an account's e-mails, or its texts. The column `lane` has its id.

import type { DeliveryChannel } from '../core/delivery.ts'
import { BEFORE_ALL_IDS } from '../core/id.ts'
import { columnsOf } from '../db/columns.ts'
import type { Delivery } from '../generated/client.ts'
import type { World } from '../world.ts'

/** The columns for sending a delivery and recording the answer. */
const CLAIMED_COLUMNS = [
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

export type ClaimedDelivery = Pick<Delivery, (typeof CLAIMED_COLUMNS)[number]>

/** How many more may be claimed of each recipient queue and account. */
export interface Room {
  readonly mostAQueue: number
  readonly mostAnAccount: number
  /** Those that have sends under way may have fewer. */
  readonly queues: ReadonlyMap<string, number>
  readonly accounts: ReadonlyMap<string, number>
}

interface DeliveryClaim {
  readonly channel: DeliveryChannel
  readonly now: Date
  /** Until then no other process claims them. */
  readonly leasedUntil: Date
  readonly most: number
  readonly room: Room
  /** The last recipient queue that had its turn. */
  readonly after: string
  /**
   * Ids of deliveries whose answers this process knows or awaits. Their leases end while the
   * database is away, and they must not be sent again.
   */
  readonly inHand: readonly string[]
}

export interface ClaimedDeliveries {
  readonly deliveries: readonly ClaimedDelivery[]
  /** How many of the examined recipient queues have due rows. */
  readonly queues: number
  /** The next claim continues after this queue; `BEFORE_ALL_QUEUES` if all had their turn. */
  readonly last: string
  /** The claim passed the last recipient queue and continued with the first. */
  readonly hasComeRound: boolean
}

export const BEFORE_ALL_QUEUES = BEFORE_ALL_IDS

/** Recipient queues examined in one claim, whether or not they have due rows. */
const MOST_QUEUES = 200

/**
 * The deliveries of paused endpoints wait, but those of disabled ones fail. Messages to people have
 * no endpoint.
 */
export const PAUSED_ENDPOINTS =
  "SELECT id FROM webhook WHERE paused_at IS NOT NULL AND status = 'active'"

/**
 * The messages of a team `t` that an operator has stopped wait, since a stolen key may have queued
 * them. Receipts wait too: a thief can have texts of his own in them. The events of such a team go
 * out, because its systems must know what became of its money.
 */
export const IS_STOPPED = "(t.status = 'inactive' OR NOT t.enabled)"

/**
 * An event that no worker took for so long has waited for a paused endpoint, or for workers. It has
 * its whole time from then on, since nobody tried to send it. Messages to people grow too old.
 */
const LONG_WAIT = '1 day'

const delivery = columnsOf<ClaimedDelivery>('Delivery', 'd', [], CLAIMED_COLUMNS)

/**
 * The statement steps along the index from recipient queue to recipient queue, so its cost does not
 * depend on how many rows each has. It begins after the last one that had its turn, and continues
 * with the first when it has passed the last. It takes the oldest row of every queue before the
 * second of any, and no more of a queue or an account than there is room for.
 *
 * $1 is the channel, $2 the instant, $3 the most rows, $7 the queue after which it begins, $8 the
 * end of the lease, $12 the rows in hand. $4 is the room of each queue but those in $5, which have
 * that in $6; $11 that of each account but those in $9, which have that in $10.
 *
 * An endpoint that did not answer gets one delivery at a time once its rest is over.
 *
 * A lease that ends long after ours was written by a process with a wrong clock, and is ignored.
 *
 * A locked row does not move, so its `ctid` finds it again.
 */
const CLAIM = `
  WITH RECURSIVE step AS (
    SELECT $7::uuid AS id, 0 AS position, false AS has_come_round
    UNION ALL
    SELECT next.id, position + 1, has_come_round OR next.is_first
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
      SELECT CASE WHEN later.id IS NOT NULL THEN later.id WHEN NOT has_come_round THEN (
        SELECT d.lane FROM delivery d
        WHERE d.channel = $1::delivery_channel AND d.due_at IS NOT NULL
        ORDER BY d.lane LIMIT 1
      ) END AS id, later.id IS NULL AS is_first
      OFFSET 0
    ) next
    WHERE position < ${MOST_QUEUES} AND next.id IS NOT NULL
      AND NOT ((has_come_round OR next.is_first) AND next.id > $7::uuid)
  ),
  queue AS (SELECT id, position, has_come_round FROM step WHERE position > 0),
  due AS (
    SELECT d.place_in_table, d.account_id, queue.id AS lane, queue.position,
      row_number() OVER (PARTITION BY queue.id ORDER BY d.due_at) AS turn
    FROM queue
    LEFT JOIN unnest($5::uuid[], $6::integer[]) AS busy(lane, room) ON busy.lane = queue.id
    LEFT JOIN webhook silent ON silent.id = queue.id AND silent.silences > 0
    CROSS JOIN LATERAL (
      SELECT ctid AS place_in_table, account_id, due_at FROM delivery
      WHERE channel = $1::delivery_channel AND lane = queue.id AND due_at <= $2
        AND (leased_until IS NULL OR (leased_until <= $2 AND id <> ALL($12::uuid[]))
          OR leased_until > $8::timestamptz + interval '1 minute')
      ORDER BY due_at
      LIMIT least($4::integer, busy.room,
        CASE WHEN silent.id IS NULL THEN NULL WHEN busy.lane IS NULL THEN 1 ELSE 0 END)
      FOR UPDATE SKIP LOCKED
    ) d
    WHERE queue.id NOT IN (${PAUSED_ENDPOINTS}) AND coalesce(silent.resting_until <= $2, true)
      AND ($1::delivery_channel = 'webhook' OR NOT EXISTS (
        SELECT FROM account a JOIN team t ON t.id = a.team_id
        WHERE a.id = queue.id AND ${IS_STOPPED} OFFSET 0
      ))
  ),
  turns AS (
    SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY turn, position) AS turn_of_account
    FROM due
  ),
  chosen AS (
    SELECT turns.* FROM turns
    LEFT JOIN unnest($9::uuid[], $10::integer[]) AS busy(account_id, room) USING (account_id)
    WHERE turn_of_account <= coalesce(busy.room, $11::integer)
    ORDER BY turn, position LIMIT $3::integer
  ),
  claimed AS (
    UPDATE delivery d SET attempt = attempt + 1, leased_until = $8,
      owed_at = CASE WHEN channel = 'webhook' AND due_at < $2 - interval '${LONG_WAIT}'
        THEN $2 ELSE owed_at END
    WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM chosen))
    RETURNING ${delivery.list}
  )
  SELECT claimed.*, seen.*
  FROM (
    SELECT (SELECT count(DISTINCT lane) FROM due)::integer AS queues,
      CASE
        WHEN (SELECT count(*) FROM chosen) = $3::integer
          THEN (SELECT lane FROM chosen ORDER BY turn DESC, position DESC LIMIT 1)
        ELSE (SELECT id FROM queue WHERE position = ${MOST_QUEUES})
      END AS last,
      EXISTS (SELECT FROM queue WHERE has_come_round) AS has_come_round
  ) seen
  LEFT JOIN claimed ON true`

export async function claimDueDeliveries(
  world: World,
  claim: DeliveryClaim,
): Promise<ClaimedDeliveries> {
  const { room } = claim
  const rows = await world.db.queryHot('claim-due-deliveries', CLAIM, [
    claim.channel,
    claim.now,
    claim.most,
    room.mostAQueue,
    [...room.queues.keys()],
    [...room.queues.values()],
    claim.after,
    claim.leasedUntil,
    [...room.accounts.keys()],
    [...room.accounts.values()],
    room.mostAnAccount,
    claim.inHand,
  ])
  return {
    deliveries: rows.filter((row) => row.d_id !== null).map(delivery.read),
    queues: rows[0]?.queues ?? 0,
    last: rows[0]?.last ?? BEFORE_ALL_QUEUES,
    hasComeRound: rows[0]?.has_come_round ?? false,
  }
}
