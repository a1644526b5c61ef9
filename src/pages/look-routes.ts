// The files of merchants' looks, for payers' pages and the console. They need no key: they are what
// every payer sees.

import type { FastifyInstance } from 'fastify'
import { findLogo } from '../accounts/keep-logo.ts'
import { PICTURE_TYPES } from '../core/picture.ts'
import { FOR_EVER } from '../web/assets.ts'
import { ANSWER_RULES } from '../web/browser-rules.ts'
import { colourOfFile, logoOfFile } from '../web/look-files.ts'
import type { World } from '../world.ts'
import { unknownPage } from './payment-refusals.ts'

export function lookRoutes(own: FastifyInstance, world: World): void {
  own.get<{ Params: { name: string } }>('/look/:name', async (request, reply) => {
    const { name } = request.params
    const colour = colourOfFile(name)
    if (colour !== undefined) {
      return (
        reply
          .headers(ANSWER_RULES)
          .type('text/css; charset=utf-8')
          // Another version of the service may make other shades.
          .header('cache-control', colour.isCurrent ? FOR_EVER : 'no-store')
          .serializer(String)
          .send(colour.sheet)
      )
    }
    const wanted = logoOfFile(name)
    const logo = wanted && (await findLogo(world.db, wanted.hash))
    if (logo === undefined || logo.kind !== wanted?.kind) throw unknownPage()
    return reply
      .headers(ANSWER_RULES)
      .type(PICTURE_TYPES[logo.kind])
      .header('cache-control', FOR_EVER)
      .send(logo.bytes)
  })
}
