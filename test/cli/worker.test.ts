// A worker as its supervisor sees it: on its own port, before it has its stores and after.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../chaos/proxies.ts'
import { processOf } from '../support/built.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
const LONG = { timeout: 60_000 }
let folder: string
let database: FreshDatabase
let worker: ChildProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lamplighter-worker-'))
  database = await freshDatabase()
})
afterAll(async () => {
  worker?.kill('SIGKILL')
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a worker; the function asks a probe for its status, and gets 0 while nothing listens. */
async function start(settings: Readonly<Record<string, string>> = {}, log = '/dev/null') {
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const own = { DATA_DIR: folder, DATABASE_URL: database.url, WORKER_PORT: String(port) }
  await using output = await open(log, 'w')
  worker = spawn('node', [...processOf('src/main.ts'), 'worker', 'charge'], {
    cwd: ROOT,
    env: { PATH, HOME, LOG_LEVEL: 'silent', ...own, ...settings },
    stdio: ['ignore', output.fd, 'pipe'],
  })
  return (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    )
}

async function end(): Promise<number | null> {
  worker?.kill('SIGTERM')
  const [status] = worker === undefined ? [null] : await once(worker, 'exit')
  return status
}

describe('a worker', LONG, () => {
  it('is ready once it works, and stops listening when it ends', async () => {
    const statusOf = await start()
    await expect.poll(() => statusOf('/readyz')).toBe(200)
    expect(await statusOf('/healthz')).toBe(200)
    expect(await statusOf('/metrics')).toBe(200)
    expect(await end()).toBe(0)
    expect(await statusOf('/healthz')).toBe(0)
  })

  it('is alive and not ready while its queue store is away', async () => {
    const statusOf = await start({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })
    await expect.poll(() => statusOf('/healthz')).toBe(200)
    expect(await statusOf('/readyz')).toBe(503)
    expect(await statusOf('/metrics')).toBe(200)
    expect(await end()).toBe(0)
  })

  it.skipIf(process.platform !== 'linux')(
    'goes on without a log that is on a full disk, and says so once',
    async () => {
      const statusOf = await start({ LOG_LEVEL: 'info' }, '/dev/full')
      const said = text(worker?.stderr as Readable)
      await expect.poll(() => statusOf('/readyz')).toBe(200)
      expect(await end()).toBe(0)
      expect(await said).toBe(
        'lamplighter: the log cannot be written: ENOSPC: no space left on device, write\n',
      )
    },
  )
})
