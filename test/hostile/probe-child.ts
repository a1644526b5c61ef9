// A client in its own process that requests /healthz again and again, and remembers the longest
// wait. The work of the test cannot delay it.

import { isHealthy } from './is-healthy.ts'
import { waitedForCoreMs } from './waited.ts'

export type ToProbe = { readonly kind: 'begin' } | { readonly kind: 'end' }

export interface Probed {
  /** Without the time in which the service or the probe waited for a core of the machine. */
  readonly slowestMs: number
  readonly probes: number
  /** Probes with another answer than 200, or none. */
  readonly failures: number
}

const EVERY_MS = 10

const address = `${process.argv[2]}`
const servicePid = Number(process.argv[3])
let probed: Probed = { slowestMs: 0, probes: 0, failures: 0 }
let isEndWanted = false

process.on('message', ({ kind }: ToProbe) => {
  if (kind === 'begin') {
    probed = { slowestMs: 0, probes: 0, failures: 0 }
    process.send?.('begun')
  } else isEndWanted = true
})
process.on('disconnect', () => process.exit())

process.send?.('ready')
for (;;) {
  const startedMs = performance.now()
  const waitedMs = waitedByBoth()
  // A probe that runs when the end is requested counts: it may be the blocked one.
  const isLast = isEndWanted
  const isWell = await isHealthy(address)
  const tookMs = performance.now() - startedMs - (waitedByBoth() - waitedMs)
  probed = {
    slowestMs: Math.max(probed.slowestMs, tookMs),
    probes: probed.probes + 1,
    failures: probed.failures + (isWell ? 0 : 1),
  }
  if (isLast) {
    isEndWanted = false
    process.send?.(probed)
  }
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}

function waitedByBoth(): number {
  return waitedForCoreMs(servicePid) + waitedForCoreMs(process.pid)
}
