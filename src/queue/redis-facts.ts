// What Redis, or what speaks like it, tells of itself.

import { Cluster } from 'ioredis'
import type { StoreFacts } from './engine.ts'
import type { RedisConnection } from './redis-connection.ts'

const QUESTIONS = 5

export async function redisFacts(connection: RedisConnection): Promise<StoreFacts> {
  const told = await connection.info()
  const said = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(told)?.[1]
  const figure = (name: string) => {
    const text = said(name)
    return text === undefined ? undefined : Number(text)
  }
  return {
    version: said('redis_version'),
    usedBytes: figure('used_memory'),
    mostBytes: figure('maxmemory'),
    keepsJournal: said('aof_enabled') === '1',
    keepsSnapshots: (await savesOf(connection)) !== '',
    role: said('role'),
    clusterState: connection instanceof Cluster ? await clusterState(connection) : undefined,
    roundTripMs: await roundTripMs(connection),
  }
}

/** Those who host it for others often keep it to themselves. */
async function savesOf(connection: RedisConnection): Promise<string> {
  try {
    const [, saves = ''] = (await connection.config('GET', 'save')) as readonly string[]
    return saves
  } catch {
    return ''
  }
}

async function clusterState(connection: Cluster): Promise<string | undefined> {
  return /^cluster_state:(\S+)/m.exec(await connection.cluster('INFO'))?.[1]
}

async function roundTripMs(connection: RedisConnection): Promise<number> {
  let quickestMs = Number.POSITIVE_INFINITY
  for (let i = 0; i < QUESTIONS; i += 1) {
    const beforeMs = performance.now()
    await connection.ping()
    quickestMs = Math.min(quickestMs, performance.now() - beforeMs)
  }
  return quickestMs
}
