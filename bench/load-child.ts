// Callers that charge and wait for the outcome, one for each connection.

import { SECOND } from '../src/core/time-units.ts'
import { isSuccess, nextKey, requestParts } from './charge-request.ts'
import { answerParent } from './child.ts'
import type { Callers, ChargeFigures } from './load.ts'
import { openRawCaller, type RawCaller } from './raw-caller.ts'
import { percentile, sum } from './statistics.ts'

interface Caller {
  readonly caller: RawCaller
  /** The parts of the request before the idempotency key, and after it. */
  readonly parts: readonly [string, string]
}

answerParent(async (order: Callers): Promise<ChargeFigures> => {
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
    callers.map((caller) => chargeRepeatedly(caller, startedMs + ms, latencies)),
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

/** Returns how many answers were not those of a successful charge. */
async function chargeRepeatedly(
  { caller, parts }: Caller,
  untilMs: number,
  latencies: number[],
): Promise<number> {
  const [before, after] = parts
  let others = 0
  for (let now = performance.now(); now < untilMs; ) {
    const answer = await caller.send(before + nextKey() + after)
    const answeredMs = performance.now()
    if (isSuccess(answer)) latencies.push(answeredMs - now)
    else others += 1
    now = answeredMs
  }
  return others
}
