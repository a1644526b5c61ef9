// The answer to a scrape: the counters of this process, and the state of the whole service, which
// is read for it. A part that cannot be read is left out and counted as a failure, because no
// figure is better than an old one.

import { SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import type { World } from '../world.ts'
import { clearGauges, PARTS, type ReadPart } from './service-gauges.ts'

/** Frequent scrapes cannot load the database: they take at most a tenth of its time. */
const KEPT = { keepMs: SECOND, times: 10 }

/** A scraper usually waits ten seconds. */
const PART_MS = 3 * SECOND

/** The format of Prometheus, which `metricsReader` writes. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A process needs only one. */
export function metricsReader(world: World): () => Promise<string> {
  return remembered(KEPT, () => readMetrics(world))
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
  try {
    const show = await doneWithin(PART_MS, read(world))
    show(metrics)
    metrics.collectFailures.inc({ part }, 0)
  } catch (err) {
    metrics.collectFailures.inc({ part })
    log.debug({ err, part }, 'a part of the metrics could not be read')
  }
}

/**
 * Caches an expensive answer briefly. Calls in between get the same answer, and calls during the
 * computation wait for it.
 *
 * An answer is kept for `keepMs`, and at least for `times` as long as it took to compute. So
 * computing it takes at most that part of the time, however often it is asked for.
 */
function remembered<T>(
  { keepMs, times }: { readonly keepMs: number; readonly times: number },
  find: () => Promise<T>,
): () => Promise<T> {
  let known: { readonly answer: Promise<T>; readonly untilMs: number } | undefined

  return () => {
    if (known !== undefined && performance.now() < known.untilMs) return known.answer
    const startedMs = performance.now()
    const answer = find()
    const found = { answer, untilMs: Number.POSITIVE_INFINITY }
    known = found
    const keep = () => {
      const endedMs = performance.now()
      const tookMs = endedMs - startedMs
      known = { answer, untilMs: endedMs + Math.max(keepMs, times * tookMs) }
    }
    answer.then(keep, keep)
    return answer
  }
}
