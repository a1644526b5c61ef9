// A monitor that requests /healthz repeatedly.

import { setTimeout as delay } from 'node:timers/promises'
import { isHealthy } from '../test/hostile/is-healthy.ts'
import { waitedForCoreMs } from '../test/hostile/waited.ts'
import { answerParent } from './child.ts'
import type { Health, Monitor } from './health.ts'
import { percentile } from './statistics.ts'

const EVERY_MS = 25

answerParent(async ({ address, pid, ms }: Monitor): Promise<Health> => {
  const waitedMs = () => waitedForCoreMs(pid) + waitedForCoreMs(process.pid)
  const untilMs = performance.now() + ms
  const took: number[] = []
  const own: number[] = []
  let failed = 0
  while (performance.now() < untilMs) {
    const [startedMs, waitedBeforeMs] = [performance.now(), waitedMs()]
    if (!(await isHealthy(address))) failed += 1
    const tookMs = performance.now() - startedMs
    took.push(tookMs)
    own.push(tookMs - (waitedMs() - waitedBeforeMs))
    await delay(EVERY_MS)
  }
  return {
    p99Ms: percentile(Float64Array.from(took).sort(), 0.99),
    slowestMs: Math.max(...took),
    slowestOwnMs: Math.max(...own),
    failed,
  }
})
