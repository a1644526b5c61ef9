// A connection that is kept alive would keep a closing process alive with it, and a caller who asks
// over it just as it is closed would get no answer: from the moment in which the end is near, every
// answer is the last of its connection.

import type { FastifyInstance } from 'fastify'
import type { Ending } from '../core/ending.ts'

export function drainConnections(app: FastifyInstance, ending: Ending): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing || ending.isNear) reply.header('connection', 'close')
  })
  // Its answer may have begun before all that was known.
  app.addHook('onResponse', async () => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections())
  })
}
