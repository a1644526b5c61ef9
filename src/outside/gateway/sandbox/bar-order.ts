// How the sandbox gateway gives up an order: its key is taken in the books, so an order that comes
// later finds that it was given up, as it would find what was done.

import assert from 'node:assert'
import type { Database } from '../../../db/database.ts'
import { ASKED_AFTER, type Booked, type SandboxEntry } from './books.ts'

interface Barred extends SandboxEntry {
  readonly parentKey: string | null
}

/** What came before is as it is, asked after one more time; but what is lost is lost for good. */
const BAR = `
  INSERT INTO sandbox_gateway_payment AS p (account_id, key, gateway_id, operation, parent_key,
    amount, outcome, silent_until, created_at, booked_at)
  VALUES ($1, $2, $3, $4, $5, $6, 'given_up', $7, $8, $9)
  ON CONFLICT (account_id, key) DO UPDATE SET look_ups = p.look_ups + 1,
    outcome = CASE WHEN p.outcome = 'lost' AND p.silent_until <= excluded.booked_at
      THEN 'given_up' ELSE ${ASKED_AFTER} END
  RETURNING gateway_id, outcome`

export async function barOrder(db: Database, order: Barred): Promise<Booked> {
  const [row] = await db.query(BAR, [
    order.accountId,
    order.key,
    order.gatewayId,
    order.operation,
    order.parentKey,
    order.amount,
    order.silentUntil,
    order.createdAt,
    order.bookedAt,
  ])
  assert(row !== undefined, 'it is inserted, or updated')
  return { gatewayId: row.gateway_id, outcome: row.outcome }
}
