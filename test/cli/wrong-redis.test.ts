// A Redis that must not hold the queues: a process says so in one line and does not start.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { processOf } from '../support/built.ts'
import { runCommand, runHere } from '../support/command.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { type PrivateRedis, privateRedis } from '../support/redis.ts'

const LONG = { timeout: 60_000 }

let database: FreshDatabase
let redis: PrivateRedis

beforeAll(async () => {
  database = await freshDatabase()
  redis = await privateRedis()
})
afterAll(async () => {
  await redis.close()
  await database.drop()
})

const on = (redisUrl: string) => ({
  DATABASE_URL: database.url,
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
    const { status, out } = await runHere(['doctor'], settings())
    expect(out).toContain(`✗ queues (redis): ${missing}\n    C${remedy}.\n`)
    expect(status).toBe(1)
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
