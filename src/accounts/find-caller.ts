// Who calls: the account, the team and the key behind what was presented. Asked of the database
// each time, together with all other callers of the moment, so that a revoked key is refused from
// that instant on.

import { gatheredStatement, type Row } from '../db/gathered.ts'
import type { World } from '../world.ts'
import { ACTING_COLUMNS, type ActingAccount, readActing } from './acting-account.ts'
import { hashOf, isKeyForm } from './key.ts'
import { touch } from './touch-key.ts'

export interface Caller extends ActingAccount {
  readonly rateLimitPerMinute: number
  readonly key: { readonly id: string; readonly name: string; readonly prefix: string }
}

interface Found {
  readonly caller: Caller
  readonly lastUsedAt: Date | null
}

export const findCallerByHash = gatheredStatement<{ hash: Buffer; now: Date }, Found>({
  name: 'find-caller',
  columns: { hash: 'bytea', now: 'timestamptz' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, ${ACTING_COLUMNS}, a.rate_limit_per_minute,
      k.id AS key_id, k.name AS key_name, k.prefix, k.last_used_at
    FROM input i
    JOIN key_hash h ON h.hash = i.hash
    JOIN api_key k ON k.account_id = h.account_id AND k.id = h.key_id
    JOIN account a ON a.id = k.account_id
    JOIN team t ON t.id = a.team_id
    WHERE k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > i.now)`,
  read: (row) => ({ caller: readCaller(row), lastUsedAt: row.last_used_at }),
})

/** undefined for a key that is unknown, revoked, expired, or no key at all. */
export async function findCaller(world: World, key: string): Promise<Caller | undefined> {
  if (!isKeyForm(key)) return undefined
  const found = await world.db.ask(findCallerByHash, {
    hash: hashOf(key),
    now: world.clock.now(),
  })
  if (found === undefined) return undefined
  const { caller, lastUsedAt } = found
  touch(world, { accountId: caller.accountId, id: caller.key.id, lastUsedAt })
  return caller
}

function readCaller(row: Row): Caller {
  return {
    ...readActing(row),
    rateLimitPerMinute: row.rate_limit_per_minute,
    key: { id: row.key_id, name: row.key_name, prefix: row.prefix },
  }
}
