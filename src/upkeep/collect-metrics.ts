// The answer to a scrape: the counters of this process, and the state of the whole service, which
// is read for it. A part that cannot be read is left out and counted as a failure, because no
// figure is better than an old one.

import { remembered } from '../core/remembered.ts'
import { SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import type { World } from '../world.ts'
import { clearGauges, PARTS, type ReadPart } from './service-gauges.ts'

const KEPT_MS = SECOND

/** A scraper usually waits ten seconds. A statement that takes longer ends in the database too. */
const PART_MS = 3 * SECOND

/** The format of Prometheus, which `metricsReader` writes. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A process needs only one. */
export function metricsReader(world: World): () => Promise<string> {
  return remembered(KEPT_MS, () => readMetrics(world))
}

async function readMetrics(world: World): Promise<string> {
  const { metrics } = world
  clearGauges(metrics)
  await Promise.all(PARTS.map(([part, read]) => readPart(world, part, read)))
  for (const { pool, ...states } of world.poolSizes()) {
    for (const [state, size] of Object.entries(states)) metrics.pool.set({ pool, state }, size)
  }
  return metrics.registry.metrics()
}

async function readPart(world: World, part: string, read: ReadPart): Promise<void> {
  const { metrics, log } = world
  const query = world.db.queryUntil(AbortSignal.timeout(PART_MS))
  try {
    const show = await doneWithin(PART_MS, read({ ...world, db: { ...world.db, query } }))
    show(metrics)
    metrics.collectFailures.inc({ part }, 0)
  } catch (err) {
    metrics.collectFailures.inc({ part })
    log.debug({ err, part }, 'a part of the metrics could not be read')
  }
}
