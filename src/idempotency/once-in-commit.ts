// Does what is decided at once, at most once an idempotency key, in a commit that is made of
// statements: what it finds, and holds, is what it writes by.

import assert from 'node:assert'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import { claimKey } from './claim-key.ts'
import { answeredBefore, type Doing, type Done } from './once.ts'

const KEEP_ANSWER = `
  UPDATE idempotency SET answer_status = 200, answer = $3 WHERE account_id = $1 AND key = $2`

/** `write` answers what the caller is told; what it throws leaves the key to others. */
export async function onceInCommit(
  world: World,
  doing: Omit<Doing, 'answer' | 'writes'>,
  write: (query: Query) => Promise<object>,
): Promise<Done> {
  const { accountId, idempotencyKey, operation, resourceId } = doing
  const before = await answeredBefore(world, doing, doing)
  if (before !== undefined) return before
  const body = await world.db.commit(`${operation} ${accountId} ${resourceId}`, async (query) => {
    if (!(await claimKey(world, query, doing, doing))) return undefined
    const answer = JSON.stringify(await write(query))
    if (idempotencyKey !== undefined) await query(KEEP_ANSWER, [accountId, idempotencyKey, answer])
    return answer
  })
  if (body !== undefined) return { status: 200, body, isReplayed: false }
  const repeated = await answeredBefore(world, doing, doing)
  assert(repeated !== undefined, 'whoever has the key has answered')
  return repeated
}
