// A link's picture. It is for payers, so it asks for no key.

import { Refusal } from '../../core/errors.ts'
import { findLinkOfPayer } from '../../links/find-link.ts'
import { pageAddress } from '../../links/link-view.ts'
import { qrCode } from '../../links/qr-code.ts'
import { Type } from '../../resource/json-schema.ts'
import type { World } from '../../world.ts'
import { answers } from '../schema/answers.ts'
import { linkParams } from '../schema/payment-link.ts'
import type { RouteApp } from './route-app.ts'

/** It never changes, but a deleted link's must go, from caches too. */
const CACHED_S = 60

const svg = Type.Unsafe<string>({
  description: 'The picture.',
  content: { 'image/svg+xml': { schema: { type: 'string' } } },
})

export function paymentLinkQrRoutes(app: RouteApp, world: World): void {
  app.get(
    '/pay/:id/qr.svg',
    {
      schema: {
        summary: "A QR code of a payment link's page",
        tags: ['Payment links'],
        params: linkParams,
        response: answers({ 200: svg }, ['invalid_id', 'not_found']),
      },
    },
    async (request, reply) => {
      const id = request.params.id.toLowerCase()
      const link = await world.db.ask(findLinkOfPayer, { id })
      if (link === undefined || link.isDeleted) throw new Refusal('not_found')
      return reply
        .type('image/svg+xml')
        .header('cache-control', `public, max-age=${CACHED_S}`)
        .header('x-content-type-options', 'nosniff')
        .serializer(String)
        .send(qrCode(pageAddress(world, id)))
    },
  )
}
