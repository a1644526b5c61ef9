// Callers that read, one for each connection, each waiting for its answer.

import { SECOND } from '../src/core/time-units.ts'
import { answerParent } from './child.ts'
import type { Read, Readers } from './get-load.ts'
import { END_OF_HEAD, isOk, openRawCaller, type RawCaller } from './raw-caller.ts'
import { percentile, sum } from './statistics.ts'

answerParent(async (readers: Readers): Promise<Read> => {
  const requests = readers.paths.map((path) => requestOf(readers, path))
  const callers = await Promise.all(
    Array.from({ length: readers.connections }, () => openRawCaller(readers.address)),
  )
  const startedMs = performance.now()
  const latencies: number[] = []
  const others = await Promise.all(
    callers.map((caller, i) => keepReading(caller, requests, i, startedMs + readers.ms, latencies)),
  )
  const tookMs = performance.now() - startedMs
  for (const { socket } of callers) socket.destroy()
  const sorted = Float64Array.from(latencies).sort()
  return {
    perSecond: (latencies.length / tookMs) * SECOND,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    others: sum(others),
  }
})

/** Each caller begins at another path, so that no two request the same path at the same moment. */
async function keepReading(
  caller: RawCaller,
  requests: readonly string[],
  first: number,
  untilMs: number,
  latencies: number[],
): Promise<number> {
  let others = 0
  let next = first * 7_919
  for (let now = performance.now(); now < untilMs; next += 1) {
    const answer = await caller.send(requests[next % requests.length] ?? '')
    const answeredMs = performance.now()
    if (isOk(answer)) latencies.push(answeredMs - now)
    else others += 1
    now = answeredMs
  }
  return others
}

function requestOf({ address, key }: Readers, path: string): string {
  const head = [
    `GET ${path} HTTP/1.1`,
    `Host: ${new URL(address).host}`,
    `Authorization: Bearer ${key}`,
  ]
  return head.join('\r\n') + END_OF_HEAD
}
