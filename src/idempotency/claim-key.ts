// Claims an idempotency key in a commit made of statements.

import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import type { CanonicalRequest } from './compare-requests.ts'

export interface Keyed {
  readonly accountId: string
  readonly idempotencyKey: string | undefined
}

export interface NewClaim {
  readonly operation: string
  /** Without anything that must not be stored. */
  readonly request: CanonicalRequest
  readonly resourceId: string
}

/** A SELECT of these columns, or VALUES, must follow, in this order. */
export const INSERT_CLAIMS =
  'INSERT INTO idempotency (account_id, key, operation, request, resource_id, created_at)'

const CLAIM = `
  ${INSERT_CLAIMS} VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT DO NOTHING
  RETURNING key`

/**
 * False if another request has the key. A request that is about to claim it is waited for. Without
 * a key there is nothing to claim.
 */
export async function claimKey(
  world: World,
  query: Query,
  { accountId, idempotencyKey }: Keyed,
  claim: NewClaim,
): Promise<boolean> {
  if (idempotencyKey === undefined) return true
  const claimed = await query(CLAIM, [
    accountId,
    idempotencyKey,
    claim.operation,
    JSON.stringify(claim.request),
    claim.resourceId,
    world.clock.now(),
  ])
  return claimed.length > 0
}
