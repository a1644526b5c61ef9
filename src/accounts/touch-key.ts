// When a key was last used, to the minute: written once a minute at most, and never waited for.

import { MINUTE } from '../core/time-units.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { World } from '../world.ts'

interface Touch {
  readonly accountId: string
  readonly id: string
  readonly minute: Date
}

/** A key whose row somebody holds is left alone: whoever uses it next writes the minute. */
export const touchKey = gatheredStatement<Touch, true>({
  name: 'touch-key',
  columns: { accountId: 'uuid', id: 'uuid', minute: 'timestamptz' },
  text: (input) => `
    WITH ${input},
    free AS (
      SELECT i.ord, i.minute, f.account_id, f.id
      FROM input i
      CROSS JOIN LATERAL (
        SELECT f.account_id, f.id FROM api_key f
        WHERE f.account_id = i.account_id AND f.id = i.id
          AND (f.last_used_at IS NULL OR f.last_used_at < i.minute)
        FOR NO KEY UPDATE SKIP LOCKED
      ) f
    )
    UPDATE api_key k SET last_used_at = free.minute
    FROM free WHERE k.account_id = free.account_id AND k.id = free.id
    RETURNING free.ord`,
  read: () => true,
})

/** Goes on beside the request: an answer is worth more than the minute of it. */
export function touch(
  world: World,
  key: { readonly accountId: string; readonly id: string; readonly lastUsedAt: Date | null },
): void {
  const now = world.clock.now().getTime()
  const minute = new Date(now - (now % MINUTE))
  if (key.lastUsedAt !== null && key.lastUsedAt >= minute) return
  world.db
    .ask(touchKey, { accountId: key.accountId, id: key.id, minute })
    .catch((err) => world.log.debug({ err }, 'the last use of a key was not noted'))
}
