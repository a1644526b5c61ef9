// Takes some of what succeeded into a batch, now and then. It is no part of the service, and
// whatever becomes of the database it goes on.

import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../../src/outside/identity.ts'
import { LONG_AGO_MS, TAKE_INTO_BATCH } from '../support/batch.ts'

export interface Batches {
  /** Resolves when the last one is closed. */
  stop(): Promise<void>
}

/** Seldom enough for voids to come first as often. */
const EVERY_MS = 500
const MOST = 4

const SOME = `
  SELECT id FROM transaction
  WHERE status = 'SUCCESS' AND batched_at IS NULL AND type IN ('charge', 'capture', 'refund')
  ORDER BY random() LIMIT ${MOST}`

export function startBatches(databaseUrl: string): Batches {
  const end = new AbortController()

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      await takeSome(databaseUrl).catch(() => {}) // the database is away
      await delay(EVERY_MS, undefined, { signal: end.signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    async stop() {
      end.abort()
      await running
    },
  }
}

async function takeSome(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {}) // told by the query as well
  await client.connect()
  try {
    const { rows } = await client.query(SOME)
    const ids = rows.map(({ id }) => id)
    await client.query(TAKE_INTO_BATCH, [ids, newId(), new Date(Date.now() - LONG_AGO_MS)])
  } finally {
    await client.end()
  }
}
