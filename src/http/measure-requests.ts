// How long each request took, by its route and what it was answered. The route is the pattern and
// never the address itself, which may hold what is nobody's business and has no end of values.

import type { FastifyInstance } from 'fastify'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { QUIET_ROUTES } from './quiet-routes.ts'

export function measureRequests(app: FastifyInstance, { metrics }: Pick<World, 'metrics'>): void {
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const route = routeOptions.url ?? 'unknown'
    if (QUIET_ROUTES.has(route)) return
    metrics.requests.observe({ method, route, status: statusCode }, elapsedTime / SECOND)
  })
}
