// Who may ask, and how often: a key for every route of the API, and a team in good standing where
// money moves.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { findCaller } from '../accounts/find-caller.ts'
import { Refusal } from '../core/errors.ts'
import type { World } from '../world.ts'
import { limitFailures, limitRequests } from './limit-requests.ts'
import { callerOf } from './requests.ts'

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
  }
}

/** A hook for routes that move money or tell of it. */
export async function requireTeamInGoodStanding(request: FastifyRequest): Promise<void> {
  const { team } = callerOf(request)
  if (team.status !== 'active') throw new Refusal('team_inactive')
  if (!team.enabled) throw new Refusal('team_disabled')
}
