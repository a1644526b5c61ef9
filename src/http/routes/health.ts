// The probes: whether the process lives, and whether it can serve. Neither needs a key.

import { Type } from '../../resource/json-schema.ts'
import { checkLife, checkReadiness } from '../../upkeep/check-readiness.ts'
import type { World } from '../../world.ts'
import type { RouteApp } from './route-app.ts'

const health = Type.Object({
  status: Type.Enum(['ok', 'not ready', 'stuck']),
  reason: Type.Optional(Type.String()),
})

export function healthRoutes(app: RouteApp, world: World): void {
  app.get(
    '/healthz',
    {
      schema: {
        summary: 'The process is alive',
        operationId: 'getHealth',
        description:
          'For a liveness probe: 503 when a part of the process no longer works, so that it must be replaced.',
        tags: ['Operations'],
        response: {
          200: health,
          503: { ...health, description: 'It must be replaced; the reason says why.' },
        },
      },
    },
    async (_request, reply) => {
      const reason = checkLife(world)
      if (reason === undefined) return { status: 'ok' as const }
      return reply.code(503).send({ status: 'stuck' as const, reason })
    },
  )
  app.get(
    '/readyz',
    {
      schema: {
        summary: 'The process can serve requests',
        operationId: 'getReadiness',
        description:
          'For a readiness probe: 503 while the process cannot serve, for example because its database is unavailable.',
        tags: ['Operations'],
        response: {
          200: health,
          503: { ...health, description: 'It cannot serve; the reason says why.' },
        },
      },
    },
    async (_request, reply) => {
      const reason = await checkReadiness(world)
      if (reason === undefined) return { status: 'ok' as const }
      return reply.code(503).send({ status: 'not ready' as const, reason })
    },
  )
}
