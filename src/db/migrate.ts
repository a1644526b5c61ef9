import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { withClient } from './client.ts'
export class MigrationError extends Error {}
export async function migrate(url: string): Promise<readonly string[]> {
  return withClient(url, async (c) => {
    await c.query(`CREATE TABLE IF NOT EXISTS _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`)
    const done = new Set(
      (await c.query('select migration_name from _prisma_migrations')).rows.map(
        (r) => r.migration_name,
      ),
    )
    const dir = join(dirname(import.meta.dirname), '..', 'prisma', 'migrations')
    const applied: string[] = []
    for (const n of (await readdir(dir)).filter((x) => /^\d/.test(x)).sort()) {
      if (done.has(n)) continue
      const sql = await readFile(join(dir, n, 'migration.sql'), 'utf8')
      await c.query('BEGIN')
      await c.query(sql)
      await c.query(
        'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1,$2,$3,now(),1)',
        [randomUUID(), createHash('sha256').update(sql).digest('hex'), n],
      )
      await c.query('COMMIT')
      applied.push(n)
    }
    return applied
  })
}
