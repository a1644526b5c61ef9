// Claims an idempotency key in a commit made of statements.

import type { Query } from '../db/database.ts'
import type { InCommit } from '../db/queries.ts'
import type { World } from '../world.ts'
import type { CanonicalRequest } from './compare-requests.ts'

export interface Keyed {
  readonly accountId: string
  readonly idempotencyKey: string | undefined
  /** What the first request with the key adds to its commit, with the id of its resource. */
  readonly record?: InCommit<[resourceId: string]>
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
  { accountId, idempotencyKey, record }: Keyed,
  claim: NewClaim,
): Promise<boolean> {
  const { operation, request, resourceId } = claim
  if (idempotencyKey !== undefined) {
    const stored = [operation, JSON.stringify(request), resourceId, world.clock.now()]
    const claimed = await query(CLAIM, [accountId, idempotencyKey, ...stored])
    if (claimed.length === 0) return false
  }
  await record?.(query, resourceId)
  return true
}
