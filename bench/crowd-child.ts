// Callers that do not wait for each other: a charge is sent at its moment, however many of the
// earlier ones are unanswered. So a service that falls behind gets no relief, as it does from
// callers that wait.

import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../src/core/time-units.ts'
import { isSuccess, nextKey, requestParts } from './charge-request.ts'
import { answerParent } from './child.ts'
import type { Crowd, CrowdAnswered } from './crowd.ts'
import { isOk, openRawCaller, type RawCaller, statusOf } from './raw-caller.ts'
import { percentile } from './statistics.ts'
import { within } from './within.ts'

/** Charges are sent together in this interval, if many arrive. */
const TICK_MS = 2

/**
 * The callers of so many seconds are connected before the first request, as they are through a load
 * balancer. Node accepts one connection a turn: otherwise the first seconds would measure only
 * that.
 */
const OPEN_SECONDS = 1
const OPENED_AT_ONCE = 32

/**
 * A part of the time. Until it is over, connections are opened, and the work under way grows to its
 * full size.
 */
const FIRST_PART = 0.25

type Came = 'succeeded' | 'pending' | 'refused' | 'others' | 'unanswered'

interface Answered {
  readonly came: Came
  readonly arrivedMs: number
  readonly answeredMs: number
}

answerParent(async (order: Crowd): Promise<CrowdAnswered> => {
  const { target, paymentMethods, keys = [], perSecond, ms, patienceMs } = order
  const parts = paymentMethods.map((method, i) =>
    requestParts({ ...target, key: keys[i] ?? target.key }, method),
  )
  const connections = openConnections(order.addresses ?? [target.address])
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
    const nextMs = (charges.length * SECOND) / perSecond
    await delay(Math.max(TICK_MS, nextMs - elapsedMs))
  }
  const answered = await Promise.all(charges)
  connections.close()
  return summary(answered, startedMs + ms * FIRST_PART, startedMs + ms)
})

/** A connection is used again once its answer has come; another is opened while all are busy. */
function openConnections(addresses: readonly string[]) {
  const idle: RawCaller[] = []
  const all: RawCaller[] = []
  let opened = 0
  const openNext = () => openRawCaller(addresses[opened++ % addresses.length] ?? '')
  return {
    async open(count: number): Promise<void> {
      while (all.length < count) {
        const more = Array.from({ length: OPENED_AT_ONCE }, openNext)
        all.push(...(await Promise.all(more)))
      }
      idle.push(...all)
    },
    async send(request: string): Promise<Buffer> {
      const known = idle.pop()
      const caller = known ?? (await openNext())
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
