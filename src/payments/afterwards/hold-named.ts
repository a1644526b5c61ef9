// Finds the transaction that a gateway's record is about. The owner of an account at the gateway
// can write our ids into its records, so the gateway's own id must be that of our row too.

import type { Query } from '../../db/database.ts'
import type { PaymentName } from '../../outside/gateway/feed-port.ts'

/**
 * Selects the transactions that `p`, a row with the names and the gateway, is about. A capture
 * moves the money that was held. An outcome that is not recorded yet has no id of the gateway.
 */
export const NAMED_TRANSACTIONS = `
  SELECT t.account_id, t.id, t.status, t.business_date, t.void_id, t.is_voided
  FROM transaction t
  WHERE t.account_id = p.account_id AND t.id = p.key AND t.type <> 'pre_auth'
    AND t.gateway_name = p.gateway_name
    AND (t.auth_id = p.gateway_id OR t.auth_id IS NULL AND t.status = 'PENDING')
  UNION ALL
  SELECT t.account_id, t.id, t.status, t.business_date, t.void_id, t.is_voided
  FROM transaction t
  WHERE t.account_id = p.account_id AND t.reference_id = p.key AND t.type = 'capture'
    AND t.status <> 'FAILED' AND t.gateway_name = p.gateway_name
    AND (t.auth_id = p.gateway_id OR t.auth_id IS NULL AND t.status = 'PENDING')`

const FIND = `
  SELECT t.id FROM (SELECT $1::uuid AS account_id, $2::uuid AS key, $3 AS gateway_id,
    $4 AS gateway_name) p
  CROSS JOIN LATERAL (${NAMED_TRANSACTIONS}) t`

const HOLD = `
  SELECT id, status FROM transaction WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE`

export interface NamedTransaction {
  readonly id: string
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILED'
}

/**
 * Locked until the commit, so that two workers do not write the same dispute or reversal twice.
 * Undefined if it is none of ours.
 */
export async function holdNamed(
  query: Query,
  gatewayName: string,
  { accountId, key, gatewayId }: PaymentName,
): Promise<NamedTransaction | undefined> {
  const [found] = await query(FIND, [accountId, key, gatewayId, gatewayName])
  if (found === undefined) return undefined
  const [row] = await query(HOLD, [accountId, found.id])
  return row && { id: row.id, status: row.status }
}
