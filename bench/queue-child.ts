// Adds empty jobs, or works on them, by the engine of the service.

import { readConfig } from '../src/config.ts'
import type { Engine, OnEngineError } from '../src/queue/engine.ts'
import { jobOptions, workerOptions } from '../src/queue/job-options.ts'
import { postgresEngine } from '../src/queue/postgres-engine.ts'
import { redisEngine } from '../src/queue/redis-engine.ts'
import { defaultTimings } from '../src/timings.ts'
import { answerParent } from './child.ts'
import type { QueueOrder, QueueStore } from './queue.ts'

const NAME = 'bench'

/**
 * Jobs added in one trip, and trips under way at once: enough that the speed of adding is not
 * measured.
 */
const JOBS_A_TRIP = 100
const TRIPS_AT_ONCE = 2

const engine = engineOf(JSON.parse(process.argv[2] ?? '{}'))
const queue = engine.openQueue(NAME, { defaultJobOptions: jobOptions('charge', engine.keepsDone) })
let completed = 0

answerParent(async (order: QueueOrder): Promise<number> => {
  switch (order.do) {
    case 'work':
      await work()
      break
    case 'add':
      await add(order.jobs)
      break
    case 'count':
      break
  }
  return completed
})

async function work(): Promise<void> {
  const worker = engine.openWorker(
    NAME,
    async () => {},
    workerOptions('charge', defaultTimings.jobLockMs),
  )
  worker.on('completed', () => {
    completed += 1
  })
  await worker.waitUntilReady()
}

async function add(jobs: number): Promise<void> {
  let left = jobs
  async function trips(): Promise<void> {
    while (left > 0) {
      const some = Math.min(left, JOBS_A_TRIP)
      left -= some
      const job = { name: NAME, data: { items: [] } }
      await queue.addBulk(Array.from({ length: some }, () => job))
    }
  }
  await Promise.all(Array.from({ length: TRIPS_AT_ONCE }, trips))
}

function engineOf(store: QueueStore): Engine {
  const onError: OnEngineError = (error) => {
    throw error
  }
  if (store.kind === 'postgres') return postgresEngine(store.databaseUrl, 16, onError)
  const { redis } = readConfig({ REDIS_URL: store.url })
  if (redis === undefined) throw new Error('no Redis')
  return redisEngine(redis, onError, async () => 'bench')
}
