// A monitor that requests /healthz repeatedly, each time over a connection of its own, as an
// orchestrator does.

import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../src/core/time-units.ts'
import { waitedForCoreMs } from '../test/hostile/waited.ts'
import { answerParent } from './child.ts'
import type { Health, Monitor } from './health.ts'
import { percentile } from './statistics.ts'

const EVERY_MS = 25
const MOST_MS = 20 * SECOND

answerParent(async ({ address, pid, ms }: Monitor): Promise<Health> => {
  const waitedMs = () => waitedForCoreMs(pid) + waitedForCoreMs(process.pid)
  const untilMs = performance.now() + ms
  const took: number[] = []
  const own: number[] = []
  let failed = 0
  while (performance.now() < untilMs) {
    const [startedMs, waitedBeforeMs] = [performance.now(), waitedMs()]
    if (!(await isWell(`${address}/healthz`))) failed += 1
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

function isWell(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: MOST_MS }, (answer) => {
      answer.resume().on('close', () => resolve(answer.statusCode === 200))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
