// A connection that is kept alive would keep a closing process alive with it: from the moment in
// which the intake closes, every answer is the last of its connection.

import type { FastifyInstance } from 'fastify'

export function drainConnections(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}
