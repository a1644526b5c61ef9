// Reads the work that needs a person: why deliveries failed for good, and endpoints that take
// nothing.

import type { DeliveryChannel, ParkedReason } from '../../core/delivery.ts'
import type { RowKey } from '../../db/columns.ts'
import { longFailing, TAKES_NOTHING } from '../../upkeep/due-by-kind.ts'
import type { World } from '../../world.ts'
import { PARKED_PATH } from '../paths.ts'

export interface ReasonCount {
  readonly reason: ParkedReason
  readonly count: number
}

/** It is disabled, or has failed for long. */
export interface StoppedEndpoint {
  readonly accountId: string
  readonly id: string
  readonly targetUrl: string
  readonly isDisabled: boolean
  readonly disabledReason: string | null
  readonly since: Date
  readonly teamName: string
  readonly mode: string
}

export const MOST_SHOWN = 100

/** The last part of the address of each action on deliveries. The addresses keep older words. */
export const DELIVERY_ACTIONS = { retry: 'again', dismiss: 'close' } as const

export type DeliveryAction = keyof typeof DELIVERY_ACTIONS

/** The address of an action on one delivery, or on all that the form names. */
export function deliveryActionPath(action: DeliveryAction, delivery?: RowKey): string {
  const one = delivery === undefined ? '' : `${delivery.accountId}/${delivery.id}/`
  return `${PARKED_PATH}/deliveries/${one}${DELIVERY_ACTIONS[action]}`
}

export const COUNT_REASONS = `
  SELECT reason, count(*)::float8 AS count FROM delivery
  WHERE status = 'parked' AND closed_at IS NULL AND channel = $1::delivery_channel
  GROUP BY reason ORDER BY count DESC, reason`

export async function reasonsOf(
  world: World,
  channel: DeliveryChannel,
): Promise<readonly ReasonCount[]> {
  return (await world.db.query(COUNT_REASONS, [channel])) as readonly ReasonCount[]
}

/** Endpoints are few, and their index begins with the account. Named as in `StoppedEndpoint`. */
const STOPPED = `
  SELECT w.account_id AS "accountId", w.id, w.target_url AS "targetUrl",
    w.status = 'disabled' AS "isDisabled", w.disabled_reason AS "disabledReason", w.since,
    b.name AS "teamName", a.mode
  FROM account a
  JOIN team b ON b.id = a.team_id
  CROSS JOIN LATERAL (
    SELECT *, CASE status WHEN 'disabled' THEN updated_at ELSE failing_since END AS since
    FROM webhook
    WHERE account_id = a.id AND deleted_at IS NULL AND ${TAKES_NOTHING} OFFSET 0
  ) w
  ORDER BY w.since DESC, w.id
  LIMIT ${MOST_SHOWN}`

export async function stoppedEndpoints(world: World): Promise<readonly StoppedEndpoint[]> {
  return (await world.db.query(STOPPED, [longFailing(world)])) as readonly StoppedEndpoint[]
}
