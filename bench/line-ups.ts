// The service with more and more processes: running processes stay, and others join them.

import { Redis } from 'ioredis'
import { privateRedis } from '../test/support/redis.ts'
import type { Cleanups } from './cleanups.ts'
import { type BenchDatabase, openDatabase, temporaryFolder } from './database.ts'
import { type BenchService, type Settings, startService } from './service.ts'

export interface LineUp {
  readonly apis: number
  readonly workers: number
}

/** Each line-up contains the ones before it. */
export const LINE_UPS: readonly LineUp[] = [
  { apis: 1, workers: 1 },
  { apis: 1, workers: 2 },
  { apis: 1, workers: 4 },
  { apis: 2, workers: 4 },
]

export type Kind = 'api' | 'worker'

export interface GrowingService {
  readonly database: BenchDatabase
  readonly redisPid: number
  readonly settings: Settings
  /** The running processes of one kind. */
  running(kind: Kind): readonly BenchService[]
  /** Starts the missing processes. */
  growTo(lineUp: LineUp): Promise<void>
}

export async function openGrowingService(
  cleanups: Cleanups,
  more: Settings = {},
): Promise<GrowingService> {
  const folder = await temporaryFolder(cleanups)
  const database = await openDatabase(folder, 'owner', cleanups)
  const server = await privateRedis()
  cleanups.add(() => server.close())
  const settings = { DATABASE_URL: database.url, REDIS_URL: server.url, DATA_DIR: folder, ...more }
  const services: Record<Kind, BenchService[]> = { api: [], worker: [] }

  async function join(kind: Kind, count: number): Promise<void> {
    while (services[kind].length < count) {
      const name = `${kind} ${services[kind].length + 1}`
      services[kind].push(await startService(name, [kind], settings, folder, cleanups))
    }
  }

  return {
    database,
    redisPid: await pidOf(server.port),
    settings,
    running: (kind) => services[kind],
    async growTo({ apis, workers }) {
      await join('api', apis)
      await join('worker', workers)
    },
  }
}

/** @public bench/peers, a package of its own, uses it too. */
export async function pidOf(port: number): Promise<number> {
  const client = new Redis(port, '127.0.0.1')
  const info = await client.info('server')
  client.disconnect()
  return Number(/^process_id:(\d+)/m.exec(info)?.[1])
}
