// A database of a test's own, cloned from the template.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export const TEMPLATE = 'template_lamplighter'

/** PostgreSQL makes one clone of a template at a time; a second one meanwhile fails. */
const CLONE_LOCK = 72_707_371

export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** One for all tests of a worker. Without work it does not keep the worker alive. */
let admin: pg.Pool | undefined

export async function freshDatabase(): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(async (query) => {
    await query('SELECT pg_advisory_lock($1)', [CLONE_LOCK])
    try {
      // Copied files cost half of the CPU of pages that go through the buffers and the log.
      await query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`)
    } finally {
      await query('SELECT pg_advisory_unlock($1)', [CLONE_LOCK])
    }
  })
  const url = new URL(inject('adminUrl'))
  url.pathname = name
  return {
    url: url.href,
    drop: () =>
      asAdmin(async (query) => {
        await query(`DROP DATABASE ${name} WITH (FORCE)`)
      }),
  }
}

/** One statement, over a connection of its own. */
export async function queryAt(
  url: string,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

type Query = (text: string, values?: readonly unknown[]) => Promise<unknown>

async function asAdmin(act: (query: Query) => Promise<void>): Promise<void> {
  const connectionString = inject('adminUrl')
  admin ??= new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  const client = await admin.connect()
  try {
    await act((text, values = []) => client.query(text, [...values]))
  } finally {
    client.release()
  }
}
