// BullMQ's own schema, where its queues live in our database.

import { LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq'
import { withClient } from '../db/client.ts'

/** BullMQ itself notices only a schema that is too new by a major version. */
const VERSION = `SELECT max(version) AS version FROM bullmq.migration`

export async function migrateQueues(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    if (await isUpToDate(client)) return
    await runMigrations(client, 'bullmq')
  })
}

async function isUpToDate(client: Parameters<typeof runMigrations>[0]): Promise<boolean> {
  const found = await client.query(`SELECT to_regclass('bullmq.migration') IS NOT NULL AS there`)
  if (found.rows[0]?.there !== true) return false
  const { rows } = await client.query(VERSION)
  return Number(rows[0]?.version) >= LATEST_SCHEMA_VERSION
}
