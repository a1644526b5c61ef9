// The store that counts requests is away, hung, or locked: answers still come at once.

import { Redis } from 'ioredis'
import { describe, expect, inject, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { openLog } from '../../src/log.ts'
import { openWorld } from '../../src/world.ts'
import { openFurther } from '../support/further.ts'
import { askSelf, rateLimitOf, statusCounts, times } from '../support/rate-limit.ts'
import type { PrivateRedis } from '../support/redis.ts'
import { expectRefusal, send } from '../support/requests.ts'
import { soon } from '../support/soon.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const backend = inject('backend')

const describeOnRedis = backend === 'redis' ? describe : () => undefined
const describeOnPostgres = backend === 'postgres' ? describe : () => undefined

/** A caller hardly notices this delay; a busy machine needs some of it. */
const AT_ONCE_MS = 2_500

const LIMIT = 10

const open = () =>
  openTestService({ queues: [], settings: { RATE_LIMIT_PER_MINUTE: String(LIMIT) } })

describeOnRedis('with Redis', () => {
  it('stopped, a key is limited in each process, and by all again afterwards', async () => {
    await using service = await open()
    await using further = await openFurther(service)
    const redis = redisOf(service)
    const merchant = await service.merchant()
    await Promise.all(times(6, () => askSelf(service.app, merchant)))
    await redis.stop()
    for (const { app } of [service, further]) {
      const answers = await inTime(Promise.all(times(30, () => askSelf(app, merchant))))
      expect(statusCounts(answers)).toEqual({ 200: LIMIT, 429: 20 })
    }
    await redis.start()
    await expectCountedTogether(service, further)
  })

  it('hung, a request waits for it only briefly, and few requests wait at all', async () => {
    await using service = await open()
    await using further = await openFurther(service)
    const redis = redisOf(service)
    const merchant = await service.merchant()
    expect((await askSelf(service.app, merchant)).status).toBe(200)
    const control = new Redis(redis.port, '127.0.0.1')
    await control.client('PAUSE', 600_000, 'WRITE')
    for (let i = 0; i < 3; i += 1) {
      const answers = await inTime(Promise.all(times(3, () => askSelf(service.app, merchant))))
      expect(statusCounts(answers)).toEqual({ 200: 3 })
    }
    expect(await fastestMs(3, () => askSelf(service.app, merchant))).toBeLessThan(500)
    await control.client('UNPAUSE')
    control.disconnect()
    await expectCountedTogether(service, further)
  })

  it('not there yet, a process that starts answers requests', async () => {
    await using service = await open()
    const redis = redisOf(service)
    const merchant = await service.merchant()
    await redis.stop()
    await using further = await openFurther(service)
    expect((await inTime(askSelf(further.app, merchant))).status).toBe(200)
    await redis.start()
    await expectCountedTogether(service, further)
  })
})

describeOnPostgres('with the table of windows', () => {
  it('locked by another transaction, a lock is never mistaken for too many requests', async () => {
    await using service = await open()
    await using further = await openFurther(service)
    const merchant = await service.merchant()
    expect((await askSelf(service.app, merchant)).status).toBe(200)
    await service.world.db.commit('held', async (query) => {
      await query('SELECT FROM request_window FOR UPDATE')
      const answers = await inTime(Promise.all(times(LIMIT, () => askSelf(service.app, merchant))))
      expect(statusCounts(answers)).toEqual({ 200: LIMIT })
    })
    await expectCountedTogether(service, further)
  })

  it('away with its database, a caller without a key is refused, a limited number of times a minute', async () => {
    const world = openWorld({
      config: readConfig({}),
      databaseUrl: 'postgresql://127.0.0.1:1/none',
      log: openLog('silent'),
      timings: { failedSignInsAMinute: LIMIT },
    })
    const app = await buildApp(world)
    const answers = await inTime(Promise.all(times(15, () => send(app, { url: '/self' }))))
    expect(statusCounts(answers)).toEqual({ 401: LIMIT, 429: 5 })
    const headers = { authorization: `Bearer sk_sandbox_${'x'.repeat(43)}` }
    expectRefusal(await send(app, { url: '/self', headers }), 503, 'unavailable')
    await app.close()
    await world.close()
  })
})

function redisOf({ redis }: TestService): PrivateRedis {
  if (redis === undefined) throw new Error('no Redis')
  return redis
}

async function fastestMs(count: number, ask: () => Promise<unknown>): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let i = 0; i < count; i += 1) {
    const startedMs = performance.now()
    await ask()
    fastest = Math.min(fastest, performance.now() - startedMs)
  }
  return fastest
}

async function inTime<T>(answering: Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const answer = await answering
  expect(performance.now() - startedMs).toBeLessThan(AT_ONCE_MS)
  return answer
}

/** Uses a new key each time: an old one may be known to have used up its minute. */
async function expectCountedTogether(
  service: TestService,
  further: Pick<TestService, 'app'>,
): Promise<void> {
  await soon(async () => {
    const merchant = await service.merchant()
    const left = []
    for (const { app } of [service, further, service, further]) {
      left.push(rateLimitOf(await askSelf(app, merchant))?.left)
    }
    expect(left).toEqual([9, 8, 7, 6])
  })
}
