// Changes outside the callers' requests: they happen now and then, and go on whatever happens to
// the database.

import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

export interface NowAndThen {
  /** Resolves when the last one is over. */
  stop(): Promise<void>
}

export function nowAndThen(
  databaseUrl: string,
  everyMs: number,
  act: (client: pg.Client) => Promise<void>,
): NowAndThen {
  const end = new AbortController()

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      await withClient(databaseUrl, act).catch(throwIfWrong)
      await delay(everyMs, undefined, { signal: end.signal }).catch(() => {})
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

/** The database may be away, or the row locked: only a wrong statement is our own fault. */
function throwIfWrong(error: Error & { readonly code?: string }): void {
  if (/^(22|23|42)/.test(error.code ?? '')) throw error
}

async function withClient(
  databaseUrl: string,
  act: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {}) // The query reports it as well.
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}
