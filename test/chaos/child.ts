// A process of the service, as `lamplighter api`, `worker` and `start` are, with short waits and a
// gateway whose mood the parent sets. What to be is given as JSON on the command line.

import { serve } from '../../src/cli/serve.ts'
import { type Clock, realClock } from '../../src/outside/clock.ts'
import { QUEUE_NAMES, type QueueName } from '../../src/queue/catalogue.ts'
import type { Timings } from '../../src/timings.ts'
import { faultyGateway } from '../support/faulty-gateway.ts'
import { type Mood, moodyAboutBatches, planOf, WELL } from './mood.ts'
import { seeded } from './random.ts'

export interface ChildOrder {
  /** `start` is both in one. */
  readonly role: 'api' | 'worker' | 'start'
  readonly seed: number
  /** In the place of the short ones. */
  readonly timings?: Partial<Timings>
  /** The clock that it lives by is so far from the real one. */
  readonly clockOffsetMs?: number
  /** How long a slow gateway takes. */
  readonly slowMs?: number
  /** Of a worker; all by default. */
  readonly queues?: readonly QueueName[]
}

/** Short enough that an outage is over in moments, long enough for a busy machine. */
const TIMINGS = {
  nudgeGraceMs: 600,
  gatewayTimeoutMs: 1_000,
  leaseMs: 2_000,
  sweepEveryMs: 500,
  recheckEveryMs: 500,
  jobLockMs: 2_000,
  keepSchedulesEveryMs: 1_000,
  askAgain: { firstMs: 50, mostMs: 1_000 },
}

process.env.TZ = 'UTC'
const order: ChildOrder = JSON.parse(process.argv[2] ?? '')
let mood = WELL
process.on('message', (message: Mood) => {
  mood = message
})
// Nobody may outlive the one who would end him.
process.on('disconnect', () => process.exit())

const random = seeded(order.seed)
const plan = planOf(() => mood, random, order.slowMs)
await serve({
  role: 'guest',
  api: order.role !== 'worker',
  queues: order.role === 'api' ? [] : (order.queues ?? QUEUE_NAMES),
  parts: {
    clock: clockThatIsOff(order.clockOffsetMs),
    timings: { ...TIMINGS, ...order.timings },
    withGateway: (gateway) => moodyAboutBatches(faultyGateway(gateway, plan), () => mood, random),
  },
  onReady: async () => {
    process.send?.('ready')
  },
})
process.disconnect()

function clockThatIsOff(byMs = 0): Clock {
  return { now: () => new Date(realClock.now().getTime() + byMs) }
}
