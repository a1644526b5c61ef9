// Callers who charge and wait for the outcome, as many as there are connections. Of a request that was made beforehand
// only the key changes.

import { SECOND } from '../src/core/time-units.ts'
import { answerParent } from './child.ts'
import type { Callers, Charged } from './load.ts'
import { END_OF_HEAD, isOk, openRawCaller, type RawCaller } from './raw-caller.ts'
import { percentile, sum } from './statistics.ts'

interface Caller {
  readonly caller: RawCaller
  /** What goes before the idempotency key, and after it. */
  readonly parts: readonly [string, string]
}

const FINAL = '"status":"SUCCESS"'

/** Unlike any key of another run on the same database. */
const RUN = Math.random().toString(36).slice(2, 10).padEnd(8, '0')

let charges = 0

answerParent(async (order: Callers): Promise<Charged> => {
  const { target, paymentMethods, connections, ms, addresses = [target.address] } = order
  const callers = await Promise.all(
    Array.from({ length: connections }, async (_, i) => {
      const method = paymentMethods[i % paymentMethods.length] ?? ''
      const caller = await openRawCaller(addresses[i % addresses.length] ?? target.address)
      return { caller, parts: requestParts(target, method) }
    }),
  )
  const before = process.cpuUsage()
  const startedMs = performance.now()
  const latencies: number[] = []
  const others = await Promise.all(
    callers.map((caller) => keepAsking(caller, startedMs + ms, latencies)),
  )
  const tookMs = performance.now() - startedMs
  const { user, system } = process.cpuUsage(before)
  for (const { caller } of callers) caller.socket.destroy()
  const sorted = Float64Array.from(latencies).sort()
  return {
    completed: latencies.length,
    others: sum(others),
    perSecond: (latencies.length / tookMs) * SECOND,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMicros: user + system,
  }
})

/** Answers how many answers were none that a charge should have. */
async function keepAsking(
  { caller, parts }: Caller,
  untilMs: number,
  latencies: number[],
): Promise<number> {
  const [before, after] = parts
  let others = 0
  for (let now = performance.now(); now < untilMs; ) {
    charges += 1
    const key = `bench-${RUN}-${String(charges).padStart(10, '0')}`
    const answer = await caller.send(before + key + after)
    const answeredMs = performance.now()
    if (isOk(answer) && answer.includes(FINAL)) latencies.push(answeredMs - now)
    else others += 1
    now = answeredMs
  }
  return others
}

function requestParts(target: Callers['target'], paymentMethodId: string): [string, string] {
  const body = JSON.stringify({ total: 12.5, payment_method_id: paymentMethodId })
  const head = [
    'POST /charge HTTP/1.1',
    `Host: ${new URL(target.address).host}`,
    `Authorization: Bearer ${target.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Idempotency-Key: ',
  ]
  return [head.join('\r\n'), `${END_OF_HEAD}${body}`]
}
