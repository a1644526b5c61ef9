// The deliveries of all teams, as operators look for them.

import { isId } from '../core/id.ts'
import type { RowKey } from '../db/columns.ts'
import { declareList } from '../db/declared-list.ts'
import type { Row } from '../db/gathered.ts'
import { containing } from '../db/terms.ts'
import type { Delivery } from '../generated/client.ts'
import type { World } from '../world.ts'
import { deliveryColumns } from './delivery-view.ts'

export const DELIVERY_STATES = ['due', 'sent', 'not_sent', 'failed', 'dismissed'] as const

export type DeliveryState = (typeof DELIVERY_STATES)[number]

export interface SeenDelivery extends Delivery {
  /** Null for a message, and if the event was deleted. */
  readonly event: string | null
  /** The address of its endpoint. Null for a message. */
  readonly targetUrl: string | null
}

/** The outbox names a message by an id of ours. No provider does that. */
const IS_KEPT = "d.channel <> 'webhook' AND d.provider_id ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}'"

/** The conditions of the states, as in `deliveryState`. */
const STATE_TERMS: Readonly<Record<DeliveryState, string>> = {
  due: "d.status = 'pending' AND d.closed_at IS NULL",
  failed: "d.status = 'parked' AND d.closed_at IS NULL",
  dismissed: 'd.closed_at IS NOT NULL',
  sent: `d.status IN ('sent', 'delivered') AND (${IS_KEPT}) IS NOT TRUE`,
  not_sent: `d.status IN ('sent', 'delivered') AND ${IS_KEPT}`,
}

export function deliveryState(row: Delivery): DeliveryState {
  if (row.status === 'pending') return 'due'
  if (row.closedAt !== null) return 'dismissed'
  if (row.status === 'parked') return 'failed'
  return keptMessageOf(row) === undefined ? 'sent' : 'not_sent'
}

/** The id of its message in the outbox, which may be deleted by now. */
export function keptMessageOf({ channel, providerId }: Delivery): string | undefined {
  return channel !== 'webhook' && providerId !== null && isId(providerId) ? providerId : undefined
}

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$|^\+\d{10,15}$/

/** A whole address has an index; a part of one has none. */
function isWholeAddress(text: string): boolean {
  return ADDRESS.test(text)
}

export const DELIVERIES = declareList({
  table: 'delivery',
  alias: 'd',
  filters: {
    state: (state: DeliveryState) => STATE_TERMS[state],
    channel: 'd.channel = $value::delivery_channel',
    recipient: (text: string, put) => {
      if (isId(text)) return `d.channel = 'webhook' AND d.lane = ${put(text)}::uuid`
      if (isWholeAddress(text)) {
        return `d.channel <> 'webhook' AND lower(d.recipient) = lower(${put(text)})`
      }
      return `d.channel <> 'webhook' AND d.recipient ILIKE ${put(containing(text))}`
    },
  },
  sorts: {},
  columns: `${deliveryColumns.list}, e.type AS event, w.target_url`,
  joins: `
    LEFT JOIN LATERAL (
      SELECT type FROM event
      WHERE d.channel = 'webhook' AND account_id = d.account_id AND id = d.subject_id OFFSET 0
    ) e ON true
    LEFT JOIN LATERAL (
      SELECT target_url FROM webhook
      WHERE d.channel = 'webhook' AND account_id = d.account_id AND id = d.lane OFFSET 0
    ) w ON true`,
  view: seenDelivery,
})

export function seenDelivery(row: Row): SeenDelivery {
  return { ...deliveryColumns.read(row), event: row.event, targetUrl: row.target_url }
}

/** Whether an index finds the rows that match. If not, a search looks at a limited number. */
export function isIndexed({
  state,
  channel,
  recipient,
}: {
  readonly state: DeliveryState | undefined
  readonly channel: string | undefined
  readonly recipient: string | undefined
}): boolean {
  const isFew = state === 'failed' || state === 'dismissed'
  if (isFew || (recipient !== undefined && isWholeAddress(recipient))) return true
  return state === undefined && channel === undefined && recipient === undefined
}

const ONE = `
  SELECT ${DELIVERIES.columns} FROM delivery d ${DELIVERIES.joins}
  WHERE d.account_id = $1 AND d.id = $2`

export async function findDelivery(
  { db }: World,
  { accountId, id }: RowKey,
): Promise<SeenDelivery | undefined> {
  const [row] = await db.query(ONE, [accountId, id])
  return row && seenDelivery(row)
}

/** The newest deliveries of an endpoint. */
export const deliveriesOfEndpoint = listOf(
  "lane = $2 AND channel = 'webhook'",
  'created_at DESC, id DESC',
)

/** The deliveries of an event, the oldest first. */
export const deliveriesOfEvent = listOf('subject_id = $2', 'id')

/** `$2` is the id. */
function listOf(condition: string, order: string) {
  const text = `
    SELECT ${DELIVERIES.columns}
    FROM (
      SELECT * FROM delivery WHERE account_id = $1 AND ${condition} ORDER BY ${order} LIMIT $3
    ) d ${DELIVERIES.joins}
    ORDER BY ${order}`
  return async (
    { db }: World,
    { accountId, id }: RowKey,
    most: number,
  ): Promise<readonly SeenDelivery[]> =>
    (await db.query(text, [accountId, id, most])).map(seenDelivery)
}
