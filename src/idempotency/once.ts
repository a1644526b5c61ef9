// Carries out a request that is decided at once, at most once for each idempotency key. Key and
// answer are in the same commit as the change.

import assert from 'node:assert'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import { claimKey, type Keyed, type NewClaim } from './claim-key.ts'
import { findClaim } from './find-claim.ts'

interface OnceClaim extends NewClaim {
  /** The row that it locks, if any: commits about the same row wait for each other. */
  readonly locks?: string | undefined
}

export interface Done {
  readonly status: number
  readonly body: string
  readonly isReplayed: boolean
}

const KEEP_ANSWER = `
  UPDATE idempotency SET answer_status = 200, answer = $3 WHERE account_id = $1 AND key = $2`

/** `write` returns the answer. If it throws, the key stays free. */
export async function once(
  world: World,
  keyed: Keyed,
  claim: OnceClaim,
  write: (query: Query) => Promise<object>,
): Promise<Done> {
  const { accountId, idempotencyKey } = keyed
  const { operation, resourceId, locks = resourceId } = claim
  const body = await world.db.commit(`${operation} ${accountId} ${locks}`, async (query) => {
    if (!(await claimKey(world, query, keyed, claim))) return undefined
    const answer = JSON.stringify(await write(query))
    if (idempotencyKey !== undefined) await query(KEEP_ANSWER, [accountId, idempotencyKey, answer])
    return answer
  })
  if (body !== undefined) return { status: 200, body, isReplayed: false }
  const before = await answeredBefore(world, keyed, claim)
  assert(before !== undefined, 'the request that claimed the key has answered')
  return before
}

/** The answer that the first request with this key got. Undefined if there was none. */
export async function answeredBefore(
  world: World,
  keyed: Keyed,
  repeat: Pick<NewClaim, 'operation' | 'request'>,
): Promise<Done | undefined> {
  const claim = await findClaim(world, keyed, repeat)
  return claim?.answer && { ...claim.answer, isReplayed: true }
}
