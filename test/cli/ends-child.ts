// A process of the service with one broken step: it throws, or never ends.

import { serve } from '../../src/cli/serve.ts'
import { OperatorError } from '../../src/core/operator-error.ts'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { Queues } from '../../src/queue/queues.ts'

export interface BrokenStep {
  readonly role: 'owner' | 'guest'
  readonly step: 'world' | 'probe' | 'workersReady' | 'onReady' | 'drain' | 'close' | 'none'
  readonly fault: 'throws' | 'hangs'
}

process.env.TZ = 'UTC'
const { role, step, fault }: BrokenStep = JSON.parse(process.argv[2] ?? '')
process.on('disconnect', () => process.exit(3))

function breakDown(): Promise<never> {
  process.send?.('reached')
  if (fault === 'throws') throw new OperatorError(`${step} is broken`)
  return new Promise(() => {})
}

const broken = async () => breakDown()
if (step in Queues.prototype) Object.assign(Queues.prototype, { [step]: broken })
if (step === 'probe') {
  const own = Object.getOwnPropertyDescriptor(Queues.prototype, 'engine')?.get
  Object.defineProperty(Queues.prototype, 'engine', {
    get(this: Queues) {
      return { ...own?.call(this), probe: broken }
    },
  })
}

await serve({
  role,
  api: true,
  queues: QUEUE_NAMES,
  parts: {
    withGateway(gateway) {
      if (step === 'world') breakDown()
      return gateway
    },
  },
  async onReady() {
    if (step === 'onReady') await breakDown()
    if (['drain', 'close', 'none'].includes(step)) process.send?.('ready')
  },
})
