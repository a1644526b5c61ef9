// Finds deliveries for operators, by state or by id.

import type { DeliveryChannel } from '../core/delivery.ts'
import { columnsOf } from '../db/columns.ts'
import type { Delivery } from '../generated/client.ts'
import type { QueryWorld } from '../world.ts'
import { HAS_ENDPOINT, HAS_SUBJECT } from './parked.ts'

export interface DeliveryFilter {
  readonly status: Delivery['status']
  /** Parked deliveries only: whether an operator has dismissed them. */
  readonly isDismissed?: boolean | undefined
  readonly channel?: DeliveryChannel | undefined
  readonly accountIds?: readonly string[] | undefined
  /** Leaves out deliveries that have not changed since this instant. */
  readonly since?: Date | undefined
  readonly limit: number
}

export interface FoundDelivery extends Delivery {
  /** False if the event was deleted, so that there is nothing to send. */
  readonly hasSubject: boolean
  /** False if its endpoint is disabled or deleted. */
  readonly hasEndpoint: boolean
}

const delivery = columnsOf<Delivery>('Delivery', 'd')

/** The newest first. There is one index for pending deliveries and one for all others. */
export async function listDeliveries(
  world: QueryWorld,
  filter: DeliveryFilter,
): Promise<readonly Delivery[]> {
  const {
    status,
    isDismissed = false,
    channel = null,
    accountIds = null,
    since = null,
    limit,
  } = filter
  const rows = await world.db.query(
    `SELECT ${delivery.list} FROM delivery d
     WHERE d.status = '${status}' AND d.due_at IS ${status === 'pending' ? 'NOT ' : ''}NULL
       AND d.closed_at IS ${isDismissed ? 'NOT ' : ''}NULL
       AND ($1::delivery_channel IS NULL OR d.channel = $1::delivery_channel)
       AND ($2::uuid[] IS NULL OR d.account_id = ANY($2::uuid[]))
       AND d.updated_at >= coalesce($3::timestamptz, '-infinity')
     ORDER BY d.updated_at DESC, d.account_id, d.id
     LIMIT $4`,
    [channel, accountIds, since, limit],
  )
  return rows.map(delivery.read)
}

/** In any account: an operator knows the id, but not the account. */
const BY_ID = `
  SELECT ${delivery.list}, ${HAS_SUBJECT} AS has_subject, ${HAS_ENDPOINT} AS has_endpoint
  FROM account a
  CROSS JOIN unnest($1::uuid[]) AS named(id)
  CROSS JOIN LATERAL (
    SELECT * FROM delivery WHERE account_id = a.id AND id = named.id OFFSET 0
  ) d`

/** Ids that do not exist are left out. */
export async function findDeliveries(
  world: QueryWorld,
  ids: readonly string[],
): Promise<readonly FoundDelivery[]> {
  const rows = await world.db.query(BY_ID, [ids])
  return rows.map((row) => ({
    ...delivery.read(row),
    hasSubject: row.has_subject,
    hasEndpoint: row.has_endpoint,
  }))
}
