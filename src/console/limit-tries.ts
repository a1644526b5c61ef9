// Limits the tries to sign in and to guess a password.

import type { FastifyReply } from 'fastify'
import { SECOND } from '../core/time-units.ts'
import { clientAddress } from '../limits/client-address.ts'
import type { LimitState } from '../limits/request-limits.ts'
import { hasRoomForStranger, isKnownAddress } from '../operators/audit-entries.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'

export type SignInMeans = 'password' | 'link'

/**
 * Limits the tries of one address, and the password tries of all unknown addresses together.
 * Strangers cannot lock an operator out: an address with a recent sign-in is counted alone, and a
 * link, which cannot be guessed, counts only for its address.
 */
export async function limitSignIns(
  world: World,
  reply: FastifyReply,
  by: SignInMeans,
): Promise<void> {
  const { signInsAMinute, strangerSignInsAMinute } = world.timings
  const address = clientAddress(reply.request.ip)
  const ofAddress = await world.limits.count(`sign-in:${address}`, signInsAMinute)
  refuseOver(reply, ofAddress, ' and try again')
  if (by === 'link' || (await isKnownAddress(world, address))) return
  const ofStrangers = await world.limits.count('sign-in', strangerSignInsAMinute)
  const advice = ', or sign in by a link: `lamplighter sign-in-link` makes one'
  refuseOver(reply, ofStrangers, advice)
}

/**
 * Whether the audit log gets an entry of a refused try. It is kept for ever, so strangers must not
 * fill it; the log names each refused try. Tries of links are limited by their address alone, so
 * that nobody is locked out: here they are counted together.
 */
export async function isKeptRefusal(
  world: World,
  address: string,
  by: SignInMeans,
): Promise<boolean> {
  const { limits, timings } = world
  if (by === 'link') {
    const { isOver } = await limits.count('sign-in-link', timings.strangerSignInsAMinute)
    if (isOver) return false
  }
  return hasRoomForStranger(world, address)
}

/** Each try is counted, because a person who finds an open session could guess the password. */
export async function limitOwnTries(
  world: World,
  reply: FastifyReply,
  operatorId: string,
): Promise<void> {
  const counted = await world.limits.count(`own:${operatorId}`, world.timings.signInsAMinute)
  refuseOver(reply, counted, ' and try again')
}

function refuseOver(reply: FastifyReply, { isOver, resetMs }: LimitState, advice: string): void {
  if (!isOver) return
  const seconds = Math.ceil(resetMs / SECOND)
  reply.header('retry-after', seconds)
  throw new PageRefusal(429, 'Too many tries', `Wait for ${seconds} seconds${advice}.`)
}
