// A process of the service, like `lamplighter api`, `worker` and `start`, with short waits and a
// gateway whose fault rates the parent sets. Its role comes as JSON on the command line.

import { serve } from '../../src/cli/serve.ts'
import { type Clock, realClock } from '../../src/outside/clock.ts'
import { QUEUE_NAMES, type QueueName } from '../../src/queue/catalogue.ts'
import type { Metrics } from '../../src/telemetry/metrics.ts'
import type { Timings } from '../../src/timings.ts'
import { faultyGateway } from '../support/faulty-gateway.ts'
import { type FaultRates, NO_FAULTS, planOf } from './fault-rates.ts'
import { seeded } from './random.ts'

export interface ChildOrder {
  /** `start` is both in one. */
  readonly role: 'api' | 'worker' | 'start'
  readonly seed: number
  /** These replace the short ones. */
  readonly timings?: Partial<Timings>
  /** The offset of its clock from the real one. */
  readonly clockOffsetMs?: number
  /** How long a slow gateway takes. */
  readonly slowMs?: number
  /** The queues of a worker; all by default. */
  readonly queues?: readonly QueueName[]
}

/** Rows and rounds that a process has finished, by queue. */
export type Done = Readonly<Partial<Record<string, number>>>

const SAY_DONE_MS = 200

/** Short enough that an outage is over in moments, long enough for a busy machine. */
const TIMINGS = {
  nudgeGraceMs: 600,
  gatewayTimeoutMs: 1_000,
  leaseMs: 2_000,
  paymentLeaseMs: 2_000,
  deliveryLeaseMs: 2_000,
  sweepEveryMs: 500,
  recheckEveryMs: 500,
  jobLockMs: 2_000,
  keepSchedulersEveryMs: 1_000,
  askAgain: { firstMs: 50, mostMs: 1_000 },
}

process.env.TZ = 'UTC'
const order: ChildOrder = JSON.parse(process.argv[2] ?? '')
let faultRates = NO_FAULTS
process.on('message', (message: FaultRates) => {
  faultRates = message
})
// The process must not outlive its parent.
process.on('disconnect', () => process.exit())

const random = seeded(order.seed)
const plan = planOf(() => faultRates, random, order.slowMs)
await serve({
  role: 'guest',
  api: order.role !== 'worker',
  queues: order.role === 'api' ? [] : (order.queues ?? QUEUE_NAMES),
  parts: {
    ...(order.clockOffsetMs === undefined ? {} : { clock: clockThatIsOff(order.clockOffsetMs) }),
    timings: { ...TIMINGS, ...order.timings },
    withGateway: (gateway) => faultyGateway(gateway, plan),
  },
  onReady: async ({ world }) => {
    process.send?.('ready')
    setInterval(async () => {
      const done = doneOf(await world.metrics.jobs.get())
      if (process.connected) process.send?.(done, () => {}) // The parent may end just now.
    }, SAY_DONE_MS).unref()
  },
})
process.disconnect()

function clockThatIsOff(byMs: number): Clock {
  return { now: () => new Date(realClock.now().getTime() + byMs) }
}

function doneOf({ values }: Awaited<ReturnType<Metrics['jobs']['get']>>): Done {
  const done: Record<string, number> = {}
  for (const { metricName, labels, value } of values) {
    const { queue = '', result } = labels
    if (result === 'done' && metricName?.endsWith('_count')) {
      done[queue] = (done[queue] ?? 0) + value
    }
  }
  return done
}
