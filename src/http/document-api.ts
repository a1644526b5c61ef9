// The OpenAPI document, made of the schemas that validate, and a page to read it on that needs no
// network.

import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { CATALOGUE } from '../core/errors.ts'
import type { World } from '../world.ts'
import type { RouteApp } from './routes/route-app.ts'

/** Of the API, not of the package: it grows with every change that a client can see. */
const API_VERSION = '0.1.0'

const INTRODUCTION =
  'Charges, once each. Every request carries `Authorization: Bearer <key>`; a sandbox key moves no money.'

export async function documentApi(app: FastifyInstance, world: World): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lamplighter',
        version: API_VERSION,
        description: `${INTRODUCTION}\n\n${errorTable()}`,
      },
      servers: [{ url: world.config.publicUrl ?? '/' }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      tags: [
        { name: 'Payments' },
        { name: 'Customers' },
        { name: 'Account' },
        { name: 'Operations', description: 'Without a key.' },
      ],
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json.$id === 'string' ? json.$id : `def-${i}`,
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', tryItOutEnabled: true, persistAuthorization: true },
    theme: { title: 'Lamplighter API' },
  })
}

export function documentRoute(app: RouteApp): void {
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}

function errorTable(): string {
  const rows = Object.entries(CATALOGUE).map(
    ([code, { status, message, remedy }]) => `| \`${code}\` | ${status} | ${message} | ${remedy} |`,
  )
  return [
    '## Errors',
    '',
    '| `error` | status | means | remedy |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}
