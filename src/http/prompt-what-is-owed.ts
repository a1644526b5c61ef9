// What a request has changed may be owed to somebody: to whom, the rows know.

import type { FastifyInstance } from 'fastify'
import { promptDeliveries } from '../deliveries/prompt-deliveries.ts'
import type { World } from '../world.ts'

export function promptWhatIsOwed(app: FastifyInstance, world: World): void {
  app.addHook('onResponse', async ({ method, caller }) => {
    if (caller !== undefined && method !== 'GET') promptDeliveries(world, caller.accountId)
  })
}
