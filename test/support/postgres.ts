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

export async function freshDatabase(): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK])
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
  })
  const url = new URL(inject('adminUrl'))
  url.pathname = name
  return {
    url: url.href,
    drop: () =>
      asAdmin(async (admin) => {
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      }),
  }
}

async function asAdmin(act: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client(inject('adminUrl'))
  await admin.connect()
  try {
    await act(admin)
  } finally {
    await admin.end()
  }
}
