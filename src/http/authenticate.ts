// Checks who may send a request, and when: every route of the API needs a key, routes that move
// money need an active team, and only reads are allowed while the account's clock is being
// advanced.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { obstacleOf } from '../accounts/acting-account.ts'
import { type Caller, findCaller } from '../accounts/find-caller.ts'
import { hashOfKey } from '../accounts/key.ts'
import type { RequestKind } from '../core/admission.ts'
import { Refusal } from '../core/errors.ts'
import { isReading } from '../web/html.ts'
import type { World } from '../world.ts'
import { admitRequest } from './admit-requests.ts'
import { countRequest, limitFailures, limitRequests } from './limit-requests.ts'
import { callerOf } from './requests.ts'

const BEARER = /^Bearer +(\S+) *$/i

const NOBODY = Promise.resolve(undefined)

/**
 * A hook for `onRequest`, before the body is read. Whether there is time for the request is checked
 * before anything else.
 */
export function authenticate(world: World, kind: RequestKind) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (!(await identify(world, reply, kind))) return reply
    if (request.caller === undefined) {
      reply.header('www-authenticate', 'Bearer')
      throw new Refusal('unauthorized')
    }
    refuseWhileAdvancing(request, request.caller)
    return undefined
  }
}

/**
 * For a path or a method that does not exist. A request with a valid key counts there too; any
 * other key changes nothing. False if the request is already answered.
 */
export async function identifyIfKeyed(world: World, reply: FastifyReply): Promise<boolean> {
  const { authorization } = reply.request.headers
  return authorization === undefined || identify(world, reply, 'other')
}

/** Finds whose key it is, and counts the request. False if the request is already answered. */
async function identify(world: World, reply: FastifyReply, kind: RequestKind): Promise<boolean> {
  const { request } = reply
  // No cache on the way may keep an answer to a key.
  reply.header('cache-control', 'no-store')
  const [, key] = BEARER.exec(request.headers.authorization ?? '') ?? []
  const hash = key === undefined ? undefined : hashOfKey(key)
  const name = hash?.toString('base64') ?? ''
  if (!(await admitRequest(world, reply, name, kind))) return false
  const finding = hash === undefined ? NOBODY : findCaller(world, hash)
  const count = () => countRequest(world, name, finding)
  // Both are a trip to a store. A stranger's key is not counted before it is known to be one.
  const early = world.admission.knows(name) ? count() : undefined
  const [caller, counted] = await Promise.all([finding, early])
  if (caller === undefined) {
    await limitFailures(world, reply)
    return true
  }
  request.caller = caller
  world.admission.remember(name)
  limitRequests(caller, counted ?? (await count()), reply)
  return true
}

/** A change in between would belong to an instant that the rest of the account has passed. */
function refuseWhileAdvancing({ method }: FastifyRequest, { isClockAdvancing }: Caller): void {
  if (isClockAdvancing && !isReading(method)) throw new Refusal('clock_advancing')
}

/** A hook for routes that move money or show how it moved. */
export async function requireActiveTeam(request: FastifyRequest): Promise<void> {
  const obstacle = obstacleOf(callerOf(request).team)
  if (obstacle !== undefined) throw new Refusal(obstacle)
}
