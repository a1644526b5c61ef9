// Events of gateways. Only signed ones count. Without such a gateway the route does not exist.

import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import type { LiveGateway } from '../../core/live-gateway.ts'
import { handleNotice } from '../../payments/make/handle-notice.ts'
import type { World } from '../../world.ts'
import { limitFailures } from '../limit-requests.ts'
import type { RouteApp } from './route-app.ts'

/** More than an event of a payment has. */
const MOST_BYTES = 256 * 1024

/** The setting with the secret that signs its events, by the gateway. */
const SENDERS: Readonly<Record<LiveGateway, string>> = {
  stripe: 'STRIPE_WEBHOOK_SECRET',
  checkout: 'CHECKOUT_WEBHOOK_SECRET',
}

/** The signature is of the body as it was sent, so it is parsed by the gateway's own code. */
export async function gatewayNoticeRoutes(app: RouteApp, world: World): Promise<void> {
  await app.register(async (own: FastifyInstance) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, text, done) => {
      done(null, text)
    })
    const options = { bodyLimit: MOST_BYTES }
    for (const [name, setting] of Object.entries(SENDERS)) {
      own.post(`/provider/${name}`, options, async (request, reply) => {
        const gateway = world.gateways.all.find((one) => one.name === name)
        if (gateway?.notices === undefined) throw new Refusal('not_found')
        const text = typeof request.body === 'string' ? request.body : ''
        const signature = String(request.headers[gateway.notices.header] ?? '')
        if (!(await handleNotice(world, gateway, text, signature))) {
          await limitFailures(world, reply)
          request.log.warn(`an event for ${name} that is not signed with ${setting}`)
          throw new Refusal('invalid_signature')
        }
        return reply.code(204).send()
      })
    }
  })
}
