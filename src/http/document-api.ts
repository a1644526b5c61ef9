// The OpenAPI document, made of the schemas that validate, and a page to read it on that needs no
// network.

import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { BROWSER_RULES, policyText } from '../web/browser-rules.ts'
import type { World } from '../world.ts'
import { completed, HEADERS, type Made } from './document/complete.ts'
import { introduction } from './document/introduction.ts'
import type { RouteApp } from './routes/route-app.ts'

/** Of the API, not of the package: it grows with every change that a client can see. */
const API_VERSION = '0.2.0'

export async function documentApi(app: FastifyInstance, world: World): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Lamplighter', version: API_VERSION, description: introduction() },
      servers: [{ url: world.config.publicUrl ?? '/' }],
      components: {
        securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
        headers: HEADERS,
      },
      tags: [
        { name: 'Payments', description: 'Charges, and what is done to them.' },
        {
          name: 'Batches',
          description: 'What a day of business took, and when its money arrives.',
        },
        { name: 'Customers', description: 'Who pays, and by what.' },
        { name: 'Invoices', description: 'What is to be paid, once or again and again.' },
        { name: 'Payment links', description: 'Pages that a payer pays on.' },
        { name: 'Receipts', description: 'What became of money, by e-mail and text message.' },
        { name: 'Webhooks', description: 'Who is told of what happens, as it happens.' },
        { name: 'Account', description: 'Whose key it is, and what has happened.' },
        { name: 'Operations', description: 'Without a key.' },
      ],
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json.$id === 'string' ? json.$id : `def-${i}`,
    },
    transformObject: (made) => completed(made as Made),
  })
  await app.register(async (own) => documentPage(own, world))
}

/** The page that shows the document, under the rules of every page of ours. */
async function documentPage(own: FastifyInstance, { config }: World): Promise<void> {
  const { publicUrl } = config
  // What is tried out goes to the address that the document names.
  const api = publicUrl === undefined ? [] : [new URL(publicUrl).origin]
  const policy = policyText({
    'connect-src': ["'self'", ...api].join(' '),
    // Its package writes styles into elements; scripts are those of its files alone.
    'style-src': "'self' 'unsafe-inline'",
  })
  own.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...BROWSER_RULES, 'content-security-policy': policy })
    // The page's package answers it with a redirect to what stands before it in the path.
    if (request.url.includes('/static/index.html')) throw new Refusal('not_found')
  })
  await own.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', tryItOutEnabled: true, persistAuthorization: true },
    theme: { title: 'Lamplighter API' },
  })
}

export function documentRoute(app: RouteApp): void {
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
