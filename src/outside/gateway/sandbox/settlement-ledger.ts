// The orders in the sandbox gateway's ledger, for reconciliation.

import type { Database } from '../../../db/database.ts'
import type { Row } from '../../../db/gathered.ts'
import type { GatewayEntry, OrderName, Window } from '../port.ts'

/** Named as in `GatewayEntry`. Slow and lost orders are not decided. */
const ENTRY = `
  p.key, p.gateway_id AS "gatewayId", p.operation, p.amount, p.booked_at AS "bookedAt",
  CASE WHEN p.outcome IN ('approved', 'declined') THEN p.outcome ELSE 'undecided' END AS state,
  EXISTS (
    SELECT FROM sandbox_gateway_payment v
    WHERE v.account_id = p.account_id AND v.parent_key = p.key AND v.operation = 'void'
      AND v.outcome = 'approved'
  ) AS "isVoided"`

const BY_KEY = `
  SELECT ${ENTRY} FROM sandbox_gateway_payment p
  WHERE p.account_id = $1 AND p.key = ANY($2::text[]) AND p.outcome <> 'given_up'`

export async function sandboxEntries(
  db: Database,
  accountId: string,
  orders: readonly OrderName[],
): Promise<readonly GatewayEntry[]> {
  const keys = orders.map(({ key }) => key)
  return (await db.query(BY_KEY, [accountId, keys])).map(readEntry)
}

const BY_TIME = `
  SELECT ${ENTRY} FROM sandbox_gateway_payment p
  WHERE p.account_id = $1 AND p.booked_at >= $2 AND p.booked_at < $3
    AND (p.booked_at, p.key) > ($4, $5) AND p.outcome <> 'given_up'
  ORDER BY p.booked_at, p.key
  LIMIT $6`

const PAGE = 1000

export async function* sandboxEntriesBetween(
  db: Database,
  { accountId, from, before }: Window,
): AsyncGenerator<readonly GatewayEntry[]> {
  let last: GatewayEntry | undefined
  do {
    const place = last === undefined ? [new Date(0), ''] : [last.bookedAt, last.key]
    const rows = await db.query(BY_TIME, [accountId, from, before, ...place, PAGE])
    const page = rows.map(readEntry)
    yield page
    last = page.length === PAGE ? page.at(-1) : undefined
  } while (last !== undefined)
}

function readEntry(row: Row): GatewayEntry {
  return { ...(row as GatewayEntry), amount: BigInt(row.amount) }
}
