// Who may ask, how often and when: a key for every route of the API, a team in good standing where
// money moves, and nothing but reading while the account's clock is on its way.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { obstacleOf } from '../accounts/acting-account.ts'
import { type Caller, findCaller } from '../accounts/find-caller.ts'
import { Refusal } from '../core/errors.ts'
import type { World } from '../world.ts'
import { limitFailures, limitRequests } from './limit-requests.ts'
import { callerOf } from './requests.ts'

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

const BEARER = /^Bearer +(\S+) *$/i

/** A hook for `onRequest`: before the body is read. */
export function authenticate(world: World) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const [, key] = BEARER.exec(request.headers.authorization ?? '') ?? []
    const caller = key === undefined ? undefined : await findCaller(world, key)
    if (caller === undefined) {
      await limitFailures(world, request, reply)
      reply.header('www-authenticate', 'Bearer')
      throw new Refusal('unauthorized')
    }
    request.caller = caller
    await limitRequests(world, caller, reply)
    refuseWhileAdvancing(request, caller)
  }
}

/** What is asked in between would be of an instant that the rest of the account has passed. */
function refuseWhileAdvancing({ method }: FastifyRequest, { isClockAdvancing }: Caller): void {
  if (isClockAdvancing && !READING.has(method)) throw new Refusal('clock_advancing')
}

/** A hook for routes that move money or tell of it. */
export async function requireTeamInGoodStanding(request: FastifyRequest): Promise<void> {
  const obstacle = obstacleOf(callerOf(request).team)
  if (obstacle !== undefined) throw new Refusal(obstacle)
}
