// The service on Redis, as it grows: one API server, two processes of workers, a PostgreSQL and a
// Redis beside them.

import { spawnSync } from 'node:child_process'
import { Redis } from 'ioredis'
import { privateRedis } from '../test/support/redis.ts'
import type { Cleanups } from './cleanups.ts'
import { openDatabase, prepareCounting, temporaryFolder } from './database.ts'
import type { MeasuredService } from './measured-service.ts'
import { startService } from './service.ts'

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** Where the queues are. */
type RedisStore = { readonly url: string } & Pick<MeasuredService, 'others'> &
  Partial<Pick<MeasuredService, 'queueTrips'>>

/** By default on a Redis of its own. */
export async function openRedisService(
  cleanups: Cleanups,
  store?: RedisStore,
): Promise<MeasuredService> {
  const folder = await temporaryFolder(cleanups)
  await prepareCounting(folder)
  const database = await openDatabase(folder, 'owner', cleanups)
  const { url, others, queueTrips } = store ?? (await openOneRedis(cleanups))
  const settings = { DATABASE_URL: database.url, REDIS_URL: url, DATA_DIR: folder }
  const api = await startService('api', ['api'], settings, folder, cleanups)
  const workers = await Promise.all(
    ['worker 1', 'worker 2'].map((name) =>
      startService(name, ['worker'], settings, folder, cleanups),
    ),
  )
  return {
    name: 'redis',
    title: 'On Redis: api, two workers, PostgreSQL and Redis, each a process',
    services: [api, ...workers],
    worker: 'worker 1',
    database,
    store: { kind: 'redis', url },
    others,
    queueTrips,
  }
}

async function openOneRedis(cleanups: Cleanups): Promise<RedisStore> {
  const server = await privateRedis()
  cleanups.add(() => server.close())
  const client = new Redis(server.port, '127.0.0.1')
  cleanups.add(async () => client.disconnect())
  return {
    url: server.url,
    others: [{ name: 'Redis', pid: await statistic(client, 'server', 'process_id') }],
    queueTrips: () => statistic(client, 'stats', 'total_reads_processed'),
  }
}

async function statistic(client: Redis, section: string, name: string): Promise<number> {
  const info = await client.info(section)
  const [, value] = new RegExp(`^${name}:(\\d+)`, 'm').exec(info) ?? []
  return Number(value)
}
