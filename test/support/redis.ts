// A Redis server of the test's own, on a free port: it can be flushed, stopped and killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

export interface PrivateRedis {
  readonly url: string
  readonly port: number
  /** Deletes everything, as an operator may do by mistake. */
  flush(): Promise<void>
  /** In bytes; 0 for none. */
  limitMemory(bytes: string): Promise<void>
  /** SIGKILL, after which nothing listens. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export async function privateRedis(options: readonly string[] = []): Promise<PrivateRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-redis-'))
  const port = await freePort()
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...options],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    for await (const chunk of server.stdout ?? []) {
      if (String(chunk).includes('Ready to accept connections')) break
    }
    server.stdout?.resume()
  }

  async function stop(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }

  async function ask(command: (client: Redis) => Promise<unknown>): Promise<void> {
    const client = new Redis(port, '127.0.0.1')
    await command(client)
    client.disconnect()
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    flush: () => ask((client) => client.flushall()),
    limitMemory: (bytes) => ask((client) => client.config('SET', 'maxmemory', bytes)),
    stop,
    start,
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
