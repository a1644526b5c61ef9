// The OpenAPI document, made from the schemas that validate. The pages at /docs show it.

import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { packageVersion } from '../package.ts'
import { wantsPage } from '../web/html.ts'
import type { World } from '../world.ts'
import { type BuiltDocument, completeDocument, HEADERS } from './document/complete.ts'
import { introduction } from './document/introduction.ts'
import type { RouteApp } from './routes/route-app.ts'

export async function documentApi(app: FastifyInstance, world: World): Promise<void> {
  await app.register(swagger, {
    // Pages and callbacks are not part of the API, so they have no tag.
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lamplighter',
        version: packageVersion(),
        description: introduction(),
        // Each service has its own operator, which alone can change keys and teams.
        contact: { name: 'The operator of this service' },
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: world.config.publicUrl ?? '/' }],
      components: {
        securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
        headers: HEADERS,
      },
      tags: [
        { name: 'Payments', description: 'Charges, and their voids, refunds and captures.' },
        {
          name: 'Batches',
          description: 'The transactions of each business day, and when their money arrives.',
        },
        {
          name: 'Disputes',
          description: 'Disputes and reversals of payments.',
        },
        { name: 'Customers', description: 'Customers and their payment methods.' },
        { name: 'Invoices', description: 'Amounts that a customer is to pay.' },
        {
          name: 'Scheduled invoices',
          description: 'Rules by which invoices are made, and paid automatically.',
        },
        { name: 'Items', description: 'A catalogue for the line items of invoices.' },
        { name: 'Payment links', description: 'Pages on which payers pay.' },
        { name: 'Receipts', description: 'Receipts by e-mail and text message.' },
        { name: 'Webhooks', description: 'Endpoints that get events as they happen.' },
        { name: 'Account', description: 'The account of the key, its clock and its events.' },
        { name: 'Operations', description: 'Probes and metrics, without a key.' },
      ],
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json.$id === 'string' ? json.$id : `def-${i}`,
    },
    transformObject: (made) => completeDocument(made as BuiltDocument),
  })
}

export function documentRoute(app: RouteApp): void {
  // A person who opens the address in a browser gets the pages of the documentation.
  app.get('/', (request, reply) => {
    reply.header('vary', 'accept')
    if (!wantsPage(request)) throw new Refusal('not_found')
    return reply.redirect('/docs')
  })
  // It needs no key, so it must cost nothing: to print it takes longer than any page.
  let printed: Buffer | undefined
  app.get('/openapi.json', (_request, reply) => {
    printed ??= Buffer.from(JSON.stringify(app.swagger()))
    return reply.type('application/json; charset=utf-8').send(printed)
  })
}
