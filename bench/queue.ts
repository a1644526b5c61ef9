// The bare queue: empty jobs without any work, through the same BullMQ backend, with the settings
// of the queue of charges.

import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../src/core/time-units.ts'
import { type BenchChild, startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'
import { sum } from './statistics.ts'

export type QueueStore =
  | { readonly kind: 'redis'; readonly url: string }
  | { readonly kind: 'postgres'; readonly databaseUrl: string }

export type QueueOrder =
  /** Begins the work. */
  | { readonly do: 'work' }
  /** Returns how many jobs were completed since the work began. */
  | { readonly do: 'count' }
  | { readonly do: 'add'; readonly jobs: number }

export interface BareQueue {
  /** Jobs a second, from the first one added to the last one completed, over about this time. */
  run(ms: number): Promise<number>
}

/** Few: the first run shows how many the next may have. */
const FIRST_JOBS_A_SECOND = 500

/** Short compared with a run, and too seldom to affect it. */
const LOOK_MS = 10

/** On Redis one process adds and two work, as the service does there; on PostgreSQL one does all. */
export async function openBareQueue(store: QueueStore, cleanups: Cleanups): Promise<BareQueue> {
  const start = () => startQueueChild(store, cleanups)
  const adder = start()
  const workers = store.kind === 'redis' ? [start(), start()] : [adder]
  for (const worker of workers) await worker.ask({ do: 'work' })

  async function completed(): Promise<number> {
    return sum(await Promise.all(workers.map((worker) => worker.ask({ do: 'count' }))))
  }

  let perSecond = FIRST_JOBS_A_SECOND
  return {
    async run(ms) {
      const jobs = Math.ceil((perSecond * ms) / SECOND)
      const goal = (await completed()) + jobs
      const startedMs = performance.now()
      await adder.ask({ do: 'add', jobs })
      while ((await completed()) < goal) await delay(LOOK_MS)
      perSecond = (jobs / (performance.now() - startedMs)) * SECOND
      return perSecond
    },
  }
}

function startQueueChild(store: QueueStore, cleanups: Cleanups): BenchChild<QueueOrder, number> {
  return startBenchChild('queue-child.ts', [JSON.stringify(store)], cleanups)
}
