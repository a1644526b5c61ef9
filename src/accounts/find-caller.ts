// Finds the account, the team and the key of a caller. The database is asked each time, together
// with all other callers of the same moment, so that a revoked key is refused at once.

import type { Dialect } from '../core/dialect.ts'
import { MINUTE } from '../core/time-units.ts'
import { gatheredStatement, type Row } from '../db/gathered.ts'
import type { World } from '../world.ts'
import { ACTING_COLUMNS, type ActingAccount, readActing } from './acting-account.ts'

export interface Caller extends ActingAccount {
  readonly rateLimitPerMinute: number
  readonly key: {
    readonly id: string
    readonly name: string
    readonly prefix: string
    /** The form of the answers to this key. */
    readonly dialect: Dialect
  }
}

interface Found {
  readonly caller: Caller
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

export const findCallerByHash = gatheredStatement({
  name: 'find-caller',
  columns: { hash: 'bytea' },
  sameBy: ({ hash }) => hash.toString('base64'),
  text: (input) => `
    WITH ${input}
    SELECT i.ord, ${ACTING_COLUMNS}, a.rate_limit_per_minute,
      k.id AS key_id, k.name AS key_name, k.prefix, k.dialect, k.expires_at, k.last_used_at
    FROM input i
    JOIN key_hash h ON h.hash = i.hash
    JOIN api_key k ON k.account_id = h.account_id AND k.id = h.key_id
    JOIN account a ON a.id = k.account_id
    JOIN team t ON t.id = a.team_id
    WHERE k.revoked_at IS NULL`,
  read: (row): Found => ({
    caller: readCaller(row),
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }),
})

/** Undefined for an unknown, revoked or expired key. */
export async function findCaller(world: World, hash: Buffer): Promise<Caller | undefined> {
  const found = await world.db.ask(findCallerByHash, { hash })
  if (found === undefined) return undefined
  const { caller, expiresAt, lastUsedAt } = found
  if (expiresAt !== null && expiresAt <= world.clock.now()) return undefined
  touch(world, { accountId: caller.accountId, id: caller.key.id, lastUsedAt })
  return caller
}

function readCaller(row: Row): Caller {
  return {
    ...readActing(row),
    rateLimitPerMinute: row.rate_limit_per_minute,
    key: { id: row.key_id, name: row.key_name, prefix: row.prefix, dialect: row.dialect },
  }
}

/**
 * When a key was last used, to the minute: written once a minute at most, and never waited for.
 *
 * A key whose row is locked is skipped: its next request writes the minute.
 */
export const touchKey = gatheredStatement({
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

/** Not awaited: an answer matters more than the time of last use. */
function touch(
  world: World,
  key: { readonly accountId: string; readonly id: string; readonly lastUsedAt: Date | null },
): void {
  const now = world.clock.now().getTime()
  const minute = new Date(now - (now % MINUTE))
  if (key.lastUsedAt !== null && key.lastUsedAt >= minute) return
  world.db
    .ask(touchKey, { accountId: key.accountId, id: key.id, minute })
    .catch((err) => world.log.debug({ err }, 'the last use of a key was not recorded'))
}
