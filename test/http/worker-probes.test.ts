// The probes and metrics of a worker over HTTP.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noShutdownYet } from '../../src/core/shutdown.ts'
import { openWorkerProbes, type WorkerProbes } from '../../src/http/worker-probes.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let probes: WorkerProbes

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
beforeEach(async () => {
  probes = await openWorkerProbes(service.world, 0)
})
afterEach(() => probes.close())
afterAll(() => service.close())

async function ask(path: string, method = 'GET') {
  const answer = await fetch(`http://127.0.0.1:${probes.port}${path}`, { method })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { status: answer.status, text, body: isJson && text !== '' ? JSON.parse(text) : undefined }
}

describe('a worker with a port', () => {
  it('is alive before it has any queue to work on, and is not ready', async () => {
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await ask('/readyz')).toMatchObject({
      status: 503,
      body: { status: 'not ready', reason: 'it has not begun to work' },
    })
  })

  it('is ready once it works, until it ends', async () => {
    probes.watch(service.world.queues.work('clock', async () => {}))
    expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    service.world.shutdown.begin()
    expect(await ask('/readyz')).toMatchObject({
      status: 503,
      body: { reason: 'the process is ending' },
    })
    expect(await ask('/healthz')).toMatchObject({ status: 200 })
  })

  it('is alive and not ready while its clock is wrong, and says so', async () => {
    probes.close()
    const clock = { ...service.world.clock, skewMs: () => -7_200_000 }
    probes = await openWorkerProbes({ ...service.world, clock, shutdown: noShutdownYet() }, 0)
    const reason = "the clock is 2 hours behind the database's"
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: { status: 'ok', reason } })
    expect(await ask('/readyz')).toMatchObject({ status: 503, body: { reason } })
  })

  it('answers its metrics', async () => {
    const { status, text } = await ask('/metrics')
    expect(status).toBe(200)
    expect(text).toMatch(/^lamplighter_due_rows\{kind="charge"\} 0$/m)
    expect(await ask('/metrics?of=anything')).toMatchObject({ status: 200 })
  })

  it.each([
    ['GET', '/', 404],
    ['GET', '/charge', 404],
    ['GET', '/toString', 404],
    ['POST', '/healthz', 405],
    ['HEAD', '/healthz', 200],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await ask(path, method)).status).toBe(status)
  })

  it('says so if another process has the port', async () => {
    await expect(openWorkerProbes(service.world, probes.port)).rejects.toThrow('is in use')
  })
})
