// A process of the service, as `lamplighter api`, `worker` and `start` are, with short waits and a
// gateway whose mood the parent sets. What to be is given as JSON on the command line.

import { serve } from '../../src/cli/serve.ts'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import type { Timings } from '../../src/timings.ts'
import { faultyGateway } from '../support/faulty-gateway.ts'
import { type Mood, planOf, WELL } from './mood.ts'
import { seeded } from './random.ts'

export interface ChildOrder {
  /** `start` is both in one. */
  readonly role: 'api' | 'worker' | 'start'
  readonly seed: number
  /** In the place of the short ones. */
  readonly timings?: Partial<Timings>
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

const plan = planOf(() => mood, seeded(order.seed))
await serve({
  role: 'guest',
  api: order.role !== 'worker',
  queues: order.role === 'api' ? [] : QUEUE_NAMES,
  parts: {
    timings: { ...TIMINGS, ...order.timings },
    withGateway: (gateway) => faultyGateway(gateway, plan),
  },
  onReady: async () => {
    process.send?.('ready')
  },
})
process.disconnect()
