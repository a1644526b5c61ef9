// One line a request, when it is answered. Neither bodies nor addresses beyond the route: they may
// hold what is nobody's business.

import type { FastifyInstance } from 'fastify'
import { QUIET_ROUTES } from './quiet-routes.ts'

export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url
    if (route !== undefined && QUIET_ROUTES.has(route)) return
    request.log[request.isTurnedAway ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        account_id: request.caller?.accountId,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}
