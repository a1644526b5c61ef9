// The metrics of this process, for Prometheus. They contain no name, no id and no secret, and need
// no key. ADMIN_PORT or a proxy keeps strangers out.

import { Type } from '../../resource/json-schema.ts'
import { METRICS_TYPE, metricsReader } from '../../upkeep/collect-metrics.ts'
import type { World } from '../../world.ts'
import type { RouteApp } from './route-app.ts'

const text = Type.Unsafe<string>({
  description: "Prometheus' text format. A part that could not be read is left out.",
  content: { 'text/plain': { schema: { type: 'string' } } },
})

export function metricsRoutes(app: RouteApp, world: World): void {
  const read = metricsReader(world)
  app.get(
    '/metrics',
    {
      schema: {
        summary: 'Metrics for Prometheus',
        operationId: 'getMetrics',
        description: 'Figures of this process, without any name, id or secret.',
        tags: ['Operations'],
        response: { 200: text },
      },
    },
    async (_request, reply) =>
      reply
        .type(METRICS_TYPE)
        .header('cache-control', 'no-store')
        .serializer(String)
        .send(await read()),
  )
}
