// A Redis that must not hold the queues: a process says so in one line and does not start.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { openWorld } from '../../src/world.ts'
import { processOf } from '../support/built.ts'
import { runCommand, runHere } from '../support/command.ts'
import { type FreshDatabase, freshDatabase, queryAt } from '../support/postgres.ts'
import { type PrivateRedis, privateRedis } from '../support/redis.ts'

const LONG = { timeout: 60_000 }

let database: FreshDatabase
let redis: PrivateRedis
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lamplighter-redis-'))
  database = await freshDatabase()
  redis = await privateRedis()
})
afterAll(async () => {
  await redis.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const on = (redisUrl: string) => ({
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  REDIS_URL: redisUrl,
  PORT: '0',
  LOG_LEVEL: 'silent',
})

describe('a numbered database that Redis does not have', LONG, () => {
  const settings = () => on(`${redis.url}/99`)
  const missing = 'Redis does not let us use its database 99 (ERR DB index is out of range)'
  const remedy = 'orrect the number at the end of REDIS_URL'

  it.each(['api', 'worker', 'start'])('%s refuses it', async (part) => {
    expect(await runCommand([part], settings())).toEqual({
      status: 1,
      out: '',
      err: `lamplighter: ${missing}: c${remedy}\n`,
    })
  })

  it('is a fault for the doctor', async () => {
    const { status, out, err } = await runHere(['doctor'], settings())
    expect(out).toContain(`✗ queues (redis): ${missing}\n    C${remedy}.\n`)
    expect([status, err]).toEqual([1, ''])
  })
})

describe('a Redis with the queues of another installation', LONG, () => {
  const OWNER = 'lamplighter:installation'
  const settings = () => on(redis.url)
  const another =
    /^lamplighter: Redis holds the queues of another .+, DEL lamplighter:installation\n$/

  const ask = async <T>(command: (client: Redis) => Promise<T>) => {
    const client = new Redis(redis.url)
    onTestFinished(() => client.disconnect())
    return await command(client)
  }

  it('is refused by each process, and a fault for the doctor', async () => {
    await ask((client) => client.set(OWNER, 'another'))
    for (const part of ['api', 'worker']) {
      const { status, out, err } = await runCommand([part], settings())
      expect(err).toMatch(another)
      expect([status, out]).toEqual([1, ''])
    }
    const { out } = await runHere(['doctor'], settings())
    expect(out).toContain('✗ queues (redis): Redis holds the queues of another installation')
  })

  it('is ours once the key is deleted; the doctor does not claim it', async () => {
    await ask((client) => client.del(OWNER))
    await runHere(['doctor'], settings())
    expect(await ask((client) => client.get(OWNER))).toBeNull()
    const child = spawn(process.execPath, [...processOf('src/main.ts'), 'worker', 'sweep'], {
      env: { PATH: process.env.PATH, ...settings() },
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const read = 'SELECT id FROM _prisma_migrations ORDER BY migration_name LIMIT 1'
    const [row] = await queryAt(database.url, read)
    await expect.poll(() => ask((client) => client.get(OWNER))).toBe(row?.id)
  })

  it('is claimed again with the schedulers, as after a flush', async () => {
    await redis.flush()
    const world = openWorld({
      config: readConfig({ REDIS_URL: redis.url }),
      databaseUrl: database.url,
      log: openLog('silent'),
    })
    onTestFinished(() => world.close())
    await world.queues.keepSchedulers([])
    expect(await ask((client) => client.exists(OWNER))).toBe(1)
  })
})

it('an API server warns of a Redis that evicts keys, and starts', LONG, async () => {
  const evicting = await privateRedis(['--maxmemory-policy', 'allkeys-lru'])
  onTestFinished(() => evicting.close())
  const child = spawn(process.execPath, [...processOf('src/main.ts'), 'api'], {
    env: { PATH: process.env.PATH, ...on(evicting.url), LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  for await (const line of createInterface(child.stdout)) {
    const { level, msg } = JSON.parse(line)
    if (level === 'warn') said.push(msg)
    if (msg === 'ready') child.kill('SIGTERM')
  }
  if (child.exitCode === null) await once(child, 'exit')
  expect(said).toEqual([expect.stringMatching(/^Redis evicts keys .* set it to noeviction/)])
})
