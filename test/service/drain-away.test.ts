// Processes get the signal to end while their stores are away. Nothing can be finished then, and
// they still end within their time.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, inject, it } from 'vitest'
import { openDeployment } from '../chaos/deployment.ts'
import { freePort } from '../chaos/proxies.ts'
import {
  type ProcessEnd,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts'

const GRACE_MS = 3_000

/** A busy machine adds this much to every wait. */
const LATE_MS = 5_000

const LONG_TEST = { timeout: 90_000 }

function start(
  role: 'api' | 'worker',
  environment: Readonly<Record<string, string>>,
): ServiceProcess {
  const grace = { GRACE_MS: String(GRACE_MS), LOG_LEVEL: 'info' }
  return startServiceProcess({
    name: role,
    role,
    environment: { PORT: '0', ...grace, ...environment },
  })
}

function expectInTime(end: ProcessEnd, log: string): void {
  expect(end, log).toMatchObject({ signal: null })
  expect(end.tookMs, log).toBeLessThan(GRACE_MS + LATE_MS)
}

describe('a process that gets the signal to end', () => {
  it('while its stores are away, with no job, ends long before its time', LONG_TEST, async () => {
    await using deployment = await openDeployment(inject('backend'))
    const { stores, environment } = deployment
    await using api = start('api', environment)
    await using worker = start('worker', { ...environment, GRACE_MS: '60000' })
    const parts = [api, worker]
    await Promise.all(parts.map(({ ready }) => ready))
    if (stores.redisUrl === undefined) await stores.stopDatabase('kill')
    else await stores.stopRedis()
    for (const part of parts) expectInTime(await part.end(), part.log())
    if (stores.redisUrl === undefined) await stores.startDatabase()
    else await stores.startRedis()
  })

  it('before its queue store was ever there ends at once', LONG_TEST, async () => {
    if (inject('backend') === 'postgres') return
    await using deployment = await openDeployment('redis')
    const environment = {
      ...deployment.environment,
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    }
    await using worker = start('worker', environment)
    await expect.poll(() => worker.log()).toContain('the queue store is away')
    const end = await worker.end()
    expectInTime(end, worker.log())
  })

  // It never gets as far as a queue.
  it.runIf(inject('backend') === 'postgres')(
    'before its database ever answered ends within its time, and says why',
    LONG_TEST,
    async () => {
      await using silent = await openSilentServer()
      const environment = { DATABASE_URL: `postgres://nobody@127.0.0.1:${silent.port}/nothing` }
      await using worker = start('worker', environment)
      await silent.called
      expectInTime(await worker.end(), worker.log())
      expect(worker.log()).toContain('"reason":"SIGTERM","msg":"stopping"')
    },
  )
})

/** A server that accepts connections and never answers. */
async function openSilentServer() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const called = once(server, 'connection')
  return {
    port: (server.address() as AddressInfo).port,
    called,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}
