// Callers who do not wait for each other: a charge is sent when its moment has come, however many of the earlier ones are
// unanswered. So a service that falls behind is not spared, as it is by callers who wait.

import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../src/core/time-units.ts'
import { isSuccess, nextKey, requestParts } from './charge-request.ts'
import { answerParent } from './child.ts'
import type { Crowd, CrowdAnswered } from './crowd.ts'
import { isOk, openRawCaller, type RawCaller, statusOf } from './raw-caller.ts'
import { percentile } from './statistics.ts'
import { within } from './within.ts'

const TICK_MS = 2

/**
 * So many seconds' callers are connected before the first asks, as they are through a balancer. Node
 * accepts one connection a turn: else the first seconds would tell of nothing but that.
 */
const OPEN_SECONDS = 1
const OPENED_AT_ONCE = 32

/** Of the time: until then connections are opened, and what is under way becomes as much as it will be. */
const FIRST_PART = 0.25

type Came = 'succeeded' | 'pending' | 'refused' | 'others' | 'unanswered'

interface Answered {
  readonly came: Came
  readonly arrivedMs: number
  readonly answeredMs: number
}

answerParent(async (order: Crowd): Promise<CrowdAnswered> => {
  const { target, paymentMethods, perSecond, ms, patienceMs } = order
  const parts = paymentMethods.map((method) => requestParts(target, method))
  const connections = openConnections(target.address)
  await connections.open(perSecond * OPEN_SECONDS)
  const startedMs = performance.now()

  async function charge(index: number): Promise<Answered> {
    const [before, after] = parts[index % parts.length] ?? ['', '']
    const arrivedMs = startedMs + (index * SECOND) / perSecond
    const request = before + nextKey() + after
    const came = await within(patienceMs, 'a charge', connections.send(request)).then(
      cameOf,
      () => 'unanswered' as const,
    )
    return { came, arrivedMs, answeredMs: performance.now() }
  }

  const charges: Promise<Answered>[] = []
  for (let elapsedMs = 0; elapsedMs < ms; ) {
    elapsedMs = Math.min(performance.now() - startedMs, ms)
    while (charges.length < (elapsedMs * perSecond) / SECOND) charges.push(charge(charges.length))
    await delay(TICK_MS)
  }
  const answered = await Promise.all(charges)
  connections.close()
  return summary(answered, startedMs + ms * FIRST_PART, startedMs + ms)
})

/** One is used again as soon as its answer is there; another is opened while all are busy. */
function openConnections(address: string) {
  const idle: RawCaller[] = []
  const all: RawCaller[] = []
  return {
    async open(count: number): Promise<void> {
      while (all.length < count) {
        const more = Array.from({ length: OPENED_AT_ONCE }, () => openRawCaller(address))
        all.push(...(await Promise.all(more)))
      }
      idle.push(...all)
    },
    async send(request: string): Promise<Buffer> {
      const known = idle.pop()
      const caller = known ?? (await openRawCaller(address))
      if (known === undefined) all.push(caller)
      const answer = await caller.send(request)
      idle.push(caller)
      return answer
    },
    close() {
      for (const { socket } of all) socket.destroy()
    },
  }
}

function cameOf(answer: Buffer): Came {
  if (isSuccess(answer)) return 'succeeded'
  if (isOk(answer)) return 'pending'
  return statusOf(answer) === 503 ? 'refused' : 'others'
}

function summary(answered: readonly Answered[], fromMs: number, toMs: number): CrowdAnswered {
  const of = (...came: readonly Came[]) => answered.filter((one) => came.includes(one.came))
  const times = (some: readonly Answered[]) =>
    Float64Array.from(some.map(({ arrivedMs, answeredMs }) => answeredMs - arrivedMs)).sort()
  const isThen = ({ answeredMs }: Answered) => answeredMs > fromMs && answeredMs <= toMs
  const served = of('succeeded').filter(isThen)
  const accepted = times(of('succeeded', 'pending'))
  return {
    sent: answered.length,
    servedPerSecond: (served.length / (toMs - fromMs)) * SECOND,
    pending: of('pending').length,
    refused: of('refused').length,
    others: of('others').length,
    unanswered: of('unanswered').length,
    p50Ms: percentile(accepted, 0.5),
    p99Ms: percentile(accepted, 0.99),
    refusedP99Ms: percentile(times(of('refused')), 0.99),
  }
}
