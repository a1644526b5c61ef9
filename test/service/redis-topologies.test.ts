// Redis as it is run for high availability: watched by sentinels that promote a replica, and spread
// over a cluster.

import { once } from 'node:events'
import { describe, expect, inject, it } from 'vitest'
import { isDoneWithin } from '../../src/core/within.ts'
import { connectRedis } from '../../src/queue/redis-connection.ts'
import { chargeWithin } from '../chaos/probe.ts'
import { openProcessesAtWork, type ProcessesAtWork } from '../support/processes-at-work.ts'
import { openCluster, openSentinel } from '../support/redis-topologies.ts'
import { soon } from '../support/soon.ts'

const LONG_TEST = { timeout: 150_000 }
const PATIENCE = { timeout: 45_000, interval: 100 }
const MOST_RECOVERY_MS = 45_000

/** A lost nudge is mended later than `PROMPT_MS`, so a prompt outcome came through Redis. */
const TIMINGS = { nudgeGraceMs: 3_000, recheckEveryMs: 3_000 }
const PROMPT_MS = 1_500

/** The queues that a worker has. */
const WAITING = { connectionName: 'test', socketTimeout: 15_000, maxRetriesPerRequest: null }
const CONNECTED_MS = 5_000

/** In the other run the queues are in PostgreSQL. */
const describeOnRedis = describe.runIf(inject('backend') === 'redis')

describeOnRedis('with Redis', () => {
  it('watched by three sentinels, a killed server is replaced', LONG_TEST, async () => {
    await using redis = await openSentinel()
    await using atWork = await openOn(redis.url)
    await expectPrompt(atWork)
    const before = await redis.masterPort()
    await redis.killMaster()
    await expect.poll(() => redis.masterPort()).not.toBe(before)
    expect(await atWork.missingAfter(MOST_RECOVERY_MS)).toEqual([])
    await expectPrompt(atWork)
    await expectWell(atWork)
  })

  // These two mostly wait, the second one without a process.

  it.concurrent(
    'as a cluster of three, the queues spread, and outlive a node',
    LONG_TEST,
    async ({ expect }) => {
      await using redis = await openCluster()
      await using atWork = await openOn(redis.url)
      await expectPrompt(atWork)
      expect(Math.min(...(await redis.sizes()))).toBeGreaterThan(0)
      await redis.killNode()
      const failures = atWork.load.failures.length
      await atWork.load.next(10, PATIENCE.timeout)
      // An API server needs no queue.
      expect(atWork.load.failures.length).toBe(failures)
      await redis.startNode()
      expect(await atWork.missingAfter(MOST_RECOVERY_MS)).toEqual([])
      await expectPrompt(atWork)
      await expectWell(atWork)
    },
  )

  it.concurrent(
    'as a cluster, a process that connects while it is not whole gets its connection',
    LONG_TEST,
    async ({ expect }) => {
      await using redis = await openCluster()
      const connection = connectRedis({ kind: 'cluster', urls: redis.url.split(',') }, WAITING)
      await once(connection, 'ready')
      await redis.killNode()
      connection.disconnect()
      await once(connection, 'end')
      const connected = connection.connect()
      expect(await isDoneWithin(CONNECTED_MS, connected)).toBe(true)
      await redis.startNode()
      await expect.poll(() => connection.set('key', 'value')).toBe('OK')
      connection.disconnect()
    },
  )
})

function openOn(url: string): Promise<ProcessesAtWork> {
  const settings = { REDIS_URL: url }
  return openProcessesAtWork({ backend: 'redis', apis: 1, workers: 1, timings: TIMINGS, settings })
}

async function expectPrompt({ caller }: ProcessesAtWork): Promise<void> {
  await soon(async () => expect(await chargeWithin(caller, PROMPT_MS)).toBeDefined())
}

async function expectWell(atWork: ProcessesAtWork): Promise<void> {
  expect(await atWork.violations()).toEqual([])
  expect(atWork.processes.crashed(), await atWork.log()).toBe(0)
  expect(atWork.load.journal.length).toBeGreaterThan(20)
}
