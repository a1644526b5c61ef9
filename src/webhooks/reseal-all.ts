// Seals the secrets of all endpoints with the current key: those in clear, and those under other
// keys.
//
// A batch is one commit, and holds its rows only briefly while workers deliver. If it is killed,
// the next call continues: secrets that are already sealed are not read again. A secret that cannot
// be opened is left as it is, and the log names its endpoint, unless that is deleted: it signs
// nothing any more.

import { BEFORE_ALL_IDS } from '../core/id.ts'
import { arraysOf } from '../db/arrays-of.ts'
import type { RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import { resealed } from './seal-secret.ts'

const ROWS_A_BATCH = 500

/** Rows that others hold are left for the next pass. */
const MOST_PASSES = 5

const UNDER_ANOTHER = `(NOT starts_with(secret, $1)
  OR (previous_secret IS NOT NULL AND NOT starts_with(previous_secret, $1)))`

const TAKE = `
  SELECT account_id, id, secret, previous_secret, deleted_at FROM webhook
  WHERE ${UNDER_ANOTHER} AND (account_id, id) > ($2::uuid, $3::uuid)
  ORDER BY account_id, id LIMIT ${ROWS_A_BATCH}
  FOR NO KEY UPDATE SKIP LOCKED`

const WRITE = `
  UPDATE webhook w SET secret = s.secret, previous_secret = s.previous_secret
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
    AS s (account_id, id, secret, previous_secret)
  WHERE w.account_id = s.account_id AND w.id = s.id`

const LEFT = `SELECT count(*)::integer AS count FROM webhook WHERE ${UNDER_ANOTHER}`

export interface Sealed {
  readonly sealed: number
  /** Rows that others held all the time, which the next call finds, and unreadable ones. */
  readonly left: number
}

export async function resealAll(world: World): Promise<Sealed> {
  const [keyId = ''] = world.vault.keyIds()
  const prefix = world.vault.sealedBy(keyId)
  const unreadable: Unreadable = { ids: new Set(), deleted: new Set() }
  let sealed = 0
  let left = 0
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    sealed += await sealOnce(world, prefix, unreadable)
    const [row] = await world.db.query(LEFT, [prefix])
    const count = row?.count ?? 0
    left = count - unreadable.deleted.size
    if (count <= unreadable.ids.size) break
  }
  return { sealed, left }
}

/** Found so far. The first has all of them. */
interface Unreadable {
  readonly ids: Set<string>
  readonly deleted: Set<string>
}

async function sealOnce(world: World, prefix: string, unreadable: Unreadable): Promise<number> {
  let sealed = 0
  let last: RowKey | undefined = { accountId: BEFORE_ALL_IDS, id: BEFORE_ALL_IDS }
  while (last !== undefined) {
    const after: RowKey = last
    const batch = await world.db.commit('secrets of webhooks', (query) =>
      sealBatch(world, query, prefix, after, unreadable),
    )
    sealed += batch.sealed
    last = batch.last
  }
  return sealed
}

async function sealBatch(
  world: World,
  query: Query,
  prefix: string,
  { accountId, id }: RowKey,
  unreadable: Unreadable,
) {
  const found = (await query(TAKE, [prefix, accountId, id])).map((row) => {
    const key = { accountId: row.account_id, id: row.id }
    const { secret, previous_secret: previousSecret, deleted_at: deletedAt } = row
    return { ...key, secret, previousSecret, deletedAt }
  })
  const rows = found.flatMap((row) => {
    try {
      return [{ ...row, ...resealed(world, row, row) }]
    } catch (err) {
      const about = { account_id: row.accountId, webhook_id: row.id, err }
      if (row.deletedAt !== null) unreadable.deleted.add(row.id)
      else if (!unreadable.ids.has(row.id)) {
        world.log.error(about, 'the secret of a webhook cannot be opened')
      }
      unreadable.ids.add(row.id)
      return []
    }
  })
  await query(WRITE, arraysOf(rows, 'accountId', 'id', 'secret', 'previousSecret'))
  return { sealed: rows.length, last: found.at(-1) }
}
