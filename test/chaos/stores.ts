// The stores of a run: a PostgreSQL and a Redis of its own, at addresses that outlive them.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedServer, openEmbedded } from '../../src/db/embedded/index.ts'
import { type Flushed, flushQueues } from '../support/flush-queues.ts'
import { privateRedis } from '../support/redis.ts'
import { buildGate } from './gate.ts'

export type Backend = 'postgres' | 'redis'

export interface Stores {
  readonly databaseUrl: string
  readonly redisUrl: string | undefined
  stopRedis(): Promise<void>
  startRedis(): Promise<void>
  flush(what: Flushed): Promise<void>
  /** `stop` lets the server end its sessions; `kill` is SIGKILL. */
  stopDatabase(how: 'stop' | 'kill'): Promise<void>
  startDatabase(): Promise<void>
  close(): Promise<void>
}

export async function openStores(backend: Backend): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-chaos-'))
  const redis = backend === 'redis' ? await privateRedis() : undefined
  const gate = await buildGate()
  let server = await start()
  let isRedisUp = true
  const databaseUrl = portOf(server.url, gate.port)

  async function start(): Promise<EmbeddedServer> {
    const started = await openEmbedded(folder, { role: 'owner' })
    await gate.open(Number(new URL(started.url).port))
    return started
  }

  return {
    databaseUrl,
    redisUrl: redis?.url,
    async stopRedis() {
      isRedisUp = false
      await redis?.stop()
    },
    async startRedis() {
      await redis?.start()
      isRedisUp = true
    },
    async flush(what) {
      // A Redis that is down has forgotten everything already.
      if (isRedisUp) await flushQueues({ databaseUrl, redis }, what)
    },
    async stopDatabase(how) {
      if (how === 'kill') await killServer(folder, server)
      await gate.shut()
      await server.stop()
    },
    async startDatabase() {
      server = await start()
    },
    async close() {
      await gate.shut()
      await server.stop()
      await redis?.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function portOf(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}

async function killServer(folder: string, server: EmbeddedServer): Promise<void> {
  const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await server.gone
}
