// `lamplighter api` and `lamplighter worker`: the parts that grow by adding processes.

import { OperatorError } from '../accounts/operator-error.ts'
import { QUEUE_NAMES, type QueueName } from '../queue/catalogue.ts'
import { serve } from './serve.ts'

/** The way itself is a secret, which no log may hold. */
const WAY_IN = { console: 'lamplighter sign-in-link makes a link that signs in once' }

export function apiCommand(): Promise<void> {
  return serve({
    role: 'guest',
    api: true,
    queues: [],
    async onReady({ world }) {
      if (world.config.adminPassword === undefined) world.log.info(WAY_IN, 'no ADMIN_PASSWORD')
    },
  })
}

export function workerCommand(queues: readonly string[]): Promise<void> {
  return serve({
    role: 'guest',
    api: false,
    queues: queues.length === 0 ? QUEUE_NAMES : queues.map(named),
  })
}

function named(name: string): QueueName {
  const queue = QUEUE_NAMES.find((one) => one === name)
  if (queue === undefined) {
    throw new OperatorError(`there is no queue ${name}: ${QUEUE_NAMES.join(', ')}`)
  }
  return queue
}
