// Tells gateways that payment methods were deleted, so that they cannot be charged there either.
// Part of the job `retention`.
//
//   claim   the row is due again later
//   forget  the gateway detaches it, any number of times, unless another row still needs it
//   record  nothing is due any more
//
// If it dies, or the gateway is silent, the row is due again.
//
// Until an hour before, a token can be added again: the new row is there when it is looked for.
// From then on it is refused, because it may be detached at any moment.

import { after, HOUR, MINUTE } from '../core/time-units.ts'
import type { Gateway } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'

const AGAIN_MS = HOUR

/** A request that was not refused has written its row by then, or failed. */
export const REFUSED_BEFORE_MS = HOUR

/** Each is a call to the gateway. */
export const METHODS_A_ROUND = 200

/** A silent gateway does not keep the round from its other work. The rest is due again later. */
const ROUND_TAKES_MS = MINUTE

const CLAIM = `
  UPDATE payment_method SET forget_due_at = $2
  WHERE (account_id, id) IN (
    SELECT account_id, id FROM payment_method
    WHERE forget_due_at <= $1
    ORDER BY forget_due_at LIMIT $3
    FOR UPDATE SKIP LOCKED
  )
  RETURNING account_id, id, gateway_name, gateway_token, deleted_at`

/** The rows of what a gateway has stored: it is their token, or the second part of it. */
const IS_STORED_AS = `
  gateway_name = $1 AND (gateway_token = $2 OR split_part(gateway_token, ':', 2) = $2)`

/**
 * A card that was added twice may be one at the gateway, also if it was added to two accounts. The
 * row that is deleted last detaches it.
 */
export const NEEDED = `
  SELECT FROM payment_method
  WHERE ${IS_STORED_AS}
    AND (deleted_at IS NULL OR (forget_due_at IS NOT NULL AND deleted_at > $3))
  LIMIT 1`

const RECORD = `
  UPDATE payment_method SET forget_due_at = NULL WHERE account_id = $1 AND id = $2`

/** Returns how many the gateways have forgotten. */
export async function forgetDeletedMethods(world: World, now: Date): Promise<number> {
  const rows = await world.db.query(CLAIM, [now, after(now, AGAIN_MS), METHODS_A_ROUND])
  const ends = after(world.clock.now(), ROUND_TAKES_MS)
  let forgotten = 0
  for (const { account_id, id, gateway_name, gateway_token, deleted_at } of rows) {
    if (world.clock.now() > ends) break
    try {
      const gateway = world.gateways.named(gateway_name)
      const stored = storedAs(gateway, gateway_token)
      const [needed] = await world.db.query(NEEDED, [gateway_name, stored, deleted_at])
      if (needed === undefined) {
        await gateway.forgetMethod?.(gateway_token)
        forgotten += 1
      }
      await world.db.query(RECORD, [account_id, id])
    } catch (err) {
      world.log.warn({ err, account_id, id }, 'the gateway has not forgotten a payment method yet')
    }
  }
  return forgotten
}

function storedAs(gateway: Gateway, token: string): string {
  return gateway.storedAs?.(token) ?? token
}

/** Null if it is in no row, or only in rows that the gateway has forgotten. */
export const IS_OVER = `
  SELECT max(coalesce(deleted_at, 'infinity')) < $3 AS is_over FROM payment_method
  WHERE ${IS_STORED_AS}
    AND (deleted_at IS NULL OR forget_due_at IS NOT NULL)`

/** True if the gateway may be detaching the token, or soon will. */
export async function isBeingForgotten(
  { clock, config, db }: World,
  gateway: Gateway,
  token: string,
): Promise<boolean> {
  const deletedBefore = after(clock.now(), -config.pendingDeadlineMs)
  const [row] = await db.query(IS_OVER, [gateway.name, storedAs(gateway, token), deletedBefore])
  return row?.is_over === true
}
