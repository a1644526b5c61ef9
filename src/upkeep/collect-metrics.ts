// What a scrape is answered: what this process has counted, and how the service as a whole stands,
// which is looked up for it. A part that cannot be read is left out, and counted as such: no figure
// is better than an old one.

import { SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import type { World } from '../world.ts'
import { clearGauges, PARTS, type ReadPart } from './service-gauges.ts'

/** Nobody can load the database by asking more often, nor with more than a tenth of its time. */
const KEPT = { keepMs: SECOND, times: 10 }

/** Whoever scrapes waits ten seconds, as a rule. */
const PART_MS = 3 * SECOND

/** What Prometheus reads; what `metricsReader` answers is written so. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** One is enough for a process. */
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
 * Kept for `keepMs`, and for `times` as long as it took to find: however often it is asked for, it
 * takes no more than that part of the time of whoever finds it.
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
