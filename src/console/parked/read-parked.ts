// Reads the work that needs a person, except payments: deliveries that failed for good, and
// endpoints that the service disabled.

import type { DeliveryChannel, ParkedReason } from '../../core/delivery.ts'
import { listDeliveries } from '../../deliveries/list-parked.ts'
import type { Delivery } from '../../generated/client.ts'
import type { World } from '../../world.ts'

export interface ParkedDelivery extends Delivery {
  readonly teamName: string
}

export interface ReasonCount {
  readonly reason: ParkedReason
  readonly count: number
}

export interface DisabledEndpoint {
  readonly accountId: string
  readonly id: string
  readonly targetUrl: string
  readonly disabledReason: string | null
  readonly updatedAt: Date
  readonly teamName: string
  readonly mode: string
}

export const MOST_SHOWN = 100

export async function parkedDeliveries(
  world: World,
  channel: DeliveryChannel,
  isClosed: boolean,
): Promise<readonly ParkedDelivery[]> {
  const filter = { status: 'parked', isClosed, channel, limit: MOST_SHOWN } as const
  const found = await listDeliveries(world, filter)
  const accounts = await world.db.prisma.account.findMany({
    where: { id: { in: [...new Set(found.map(({ accountId }) => accountId))] } },
    select: { id: true, team: { select: { name: true } } },
  })
  const names = new Map(accounts.map(({ id, team }) => [id, team.name]))
  return found.map((one) => ({ ...one, teamName: names.get(one.accountId) ?? one.accountId }))
}

const REASONS = `
  SELECT reason, count(*)::float8 AS count FROM delivery
  WHERE status = 'parked' AND closed_at IS NULL AND channel = $1::delivery_channel
  GROUP BY reason ORDER BY count DESC, reason`

export async function reasonsOf(
  world: World,
  channel: DeliveryChannel,
): Promise<readonly ReasonCount[]> {
  const rows = await world.db.query(REASONS, [channel])
  return rows.map(({ reason, count }) => ({ reason, count }))
}

/** Endpoints are few, and their index begins with the account. */
const DISABLED = `
  SELECT w.account_id, w.id, w.target_url, w.disabled_reason, w.updated_at, b.name, a.mode
  FROM account a
  JOIN team b ON b.id = a.team_id
  CROSS JOIN LATERAL (
    SELECT * FROM webhook w
    WHERE w.account_id = a.id AND w.deleted_at IS NULL AND w.status = 'disabled' OFFSET 0
  ) w
  ORDER BY w.updated_at DESC, w.id
  LIMIT ${MOST_SHOWN}`

export async function disabledEndpoints(world: World): Promise<readonly DisabledEndpoint[]> {
  const rows = await world.db.query(DISABLED)
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    targetUrl: row.target_url,
    disabledReason: row.disabled_reason,
    updatedAt: row.updated_at,
    teamName: row.name,
    mode: row.mode,
  }))
}
