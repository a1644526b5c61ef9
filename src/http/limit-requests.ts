// Limits the requests of a key and the failed requests of an address in a minute. Every answer to a
// key says how many requests are left.

import type { FastifyReply } from 'fastify'
import type { Caller } from '../accounts/find-caller.ts'
import { Refusal } from '../core/errors.ts'
import { SECOND } from '../core/time-units.ts'
import { clientAddress } from '../limits/client-address.ts'
import { WINDOW_MS } from '../limits/counter.ts'
import type { LimitState } from '../limits/request-limits.ts'
import type { World } from '../world.ts'

/** `name` stands for the key. While its caller is being looked up, its request is counted. */
export async function countRequest(
  { limits }: World,
  name: string,
  finding: Promise<Caller | undefined>,
): Promise<LimitState> {
  const limit = finding.then((caller) => caller?.rateLimitPerMinute ?? 0)
  return limits.count(`key:${name}`, limit)
}

export function limitRequests(
  { rateLimitPerMinute: limit }: Caller,
  { isOver, left, resetMs }: LimitState,
  reply: FastifyReply,
): void {
  reply.header('ratelimit', `"default";r=${left};t=${wholeSeconds(resetMs)}`)
  reply.header('ratelimit-policy', `"default";q=${limit};w=${WINDOW_MS / SECOND}`)
  if (isOver) throw tooMany(reply, 'requests', limit, resetMs)
}

/**
 * For requests without a valid key. Requests with a valid key from the same address are not
 * affected.
 */
export async function limitFailures(world: World, reply: FastifyReply): Promise<void> {
  const subject = `address:${clientAddress(reply.request.ip)}`
  const limit = world.timings.failedSignInsAMinute
  const { isOver, resetMs } = await world.limits.count(subject, limit)
  if (isOver) throw tooMany(reply, 'requests without a valid key', limit, resetMs)
}

function tooMany(reply: FastifyReply, what: string, limit: number, resetMs: number): Refusal {
  const waitS = wholeSeconds(resetMs)
  reply.header('retry-after', waitS)
  return new Refusal('rate_limited', {
    message: `too many ${what}: the limit is ${limit} a minute, try again in ${waitS} s`,
  })
}

/** Rounded up, so that a caller that waits this long does not come too early. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / SECOND))
}
