// Finds deliveries for operators, by state or by id, and whose they are.

import type { DeliveryChannel } from '../core/delivery.ts'
import type { Row } from '../db/gathered.ts'
import type { RowOwner } from '../db/newest-anywhere.ts'
import type { Delivery } from '../generated/client.ts'
import type { QueryWorld } from '../world.ts'
import { DELIVERIES, type SeenDelivery, seenDelivery } from './deliveries-anywhere.ts'
import { HAS_ENDPOINT, HAS_SUBJECT } from './parked.ts'

export interface DeliveryFilter {
  /** Those that an operator has dismissed are parked too, and are not among the parked ones. */
  readonly status: Delivery['status'] | 'dismissed'
  readonly channel?: DeliveryChannel | undefined
  readonly accountIds?: readonly string[] | undefined
  /** Leaves out deliveries that have not changed since this instant. */
  readonly since?: Date | undefined
  readonly limit: number
}

export type FoundDelivery = SeenDelivery & RowOwner

export interface NamedDelivery extends SeenDelivery, RowOwner {
  /** False if the event was deleted, so that there is nothing to send. */
  readonly hasSubject: boolean
  /** False if its endpoint is disabled or deleted. */
  readonly hasEndpoint: boolean
}

const COLUMNS = `${DELIVERIES.columns}, t.name AS team_name, a.mode`

const JOINS = `
  JOIN account a ON a.id = d.account_id
  JOIN team t ON t.id = a.team_id ${DELIVERIES.joins}`

function found(row: Row): FoundDelivery {
  return { ...seenDelivery(row), teamName: row.team_name, mode: row.mode }
}

/** The newest first. There is one index for pending deliveries and one for all others. */
export async function listDeliveries(
  world: QueryWorld,
  filter: DeliveryFilter,
): Promise<readonly FoundDelivery[]> {
  const { status, channel = null, accountIds = null, since = null, limit } = filter
  const isDismissed = status === 'dismissed'
  const rows = await world.db.query(
    `SELECT ${COLUMNS}
     FROM (
       SELECT * FROM delivery d
       WHERE d.status = '${isDismissed ? 'parked' : status}'
         AND d.due_at IS ${status === 'pending' ? 'NOT ' : ''}NULL
         AND d.closed_at IS ${isDismissed ? 'NOT ' : ''}NULL
         AND ($1::delivery_channel IS NULL OR d.channel = $1::delivery_channel)
         AND ($2::uuid[] IS NULL OR d.account_id = ANY($2::uuid[]))
         AND d.updated_at >= coalesce($3::timestamptz, '-infinity')
       ORDER BY d.updated_at DESC, d.account_id, d.id
       LIMIT $4
     ) d
     ${JOINS}
     ORDER BY d.updated_at DESC, d.account_id, d.id`,
    [channel, accountIds, since, limit],
  )
  return rows.map(found)
}

/** In any account: an operator knows the id, but not the account. */
const BY_ID = `
  SELECT ${COLUMNS}, ${HAS_SUBJECT} AS has_subject, ${HAS_ENDPOINT} AS has_endpoint
  FROM account owner
  CROSS JOIN unnest($1::uuid[]) AS named(id)
  CROSS JOIN LATERAL (
    SELECT * FROM delivery WHERE account_id = owner.id AND id = named.id OFFSET 0
  ) d
  ${JOINS}`

/** Ids that do not exist are left out. */
export async function findDeliveries(
  world: QueryWorld,
  ids: readonly string[],
): Promise<readonly NamedDelivery[]> {
  const rows = await world.db.query(BY_ID, [ids])
  return rows.map((row) => ({
    ...found(row),
    hasSubject: row.has_subject,
    hasEndpoint: row.has_endpoint,
  }))
}
