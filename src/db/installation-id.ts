// What tells one installation from another: the id that its first migration got in the ledger. Each
// dump has it, so a restored database is the same installation. An emptied one gets another.

import assert from 'node:assert'
import type { Query } from './database.ts'

const INSTALLATION = `
  SELECT id FROM public._prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
  ORDER BY migration_name LIMIT 1`

/** It never changes, so it is read once. */
export function installationId(query: Query): () => Promise<string> {
  let known: string | undefined
  return async () => {
    const [row] = known === undefined ? await query(INSTALLATION) : []
    if (row !== undefined) known = String(row.id)
    assert(known !== undefined, 'a database with migrations has an id')
    return known
  }
}
