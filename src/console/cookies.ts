// The cookies of the console, and where a browser sends them.

import type { FastifyRequest } from 'fastify'
import type { World } from '../world.ts'

/** Over plain HTTP, which is for the machine itself. */
export const COOKIE = 'lamplighter_session'

/** A browser takes a cookie of this prefix from its own host alone, over https alone. */
const HOST_COOKIE = `__Host-${COOKIE}`

/**
 * Where the settings say that the service is reached by https, every browser is, whatever a proxy
 * that is not trusted leaves us to see. Browsers count their own machine as safe, so that a
 * forwarded port works too.
 */
export function isHttps({ config }: World, request: FastifyRequest): boolean {
  return request.protocol === 'https' || config.publicUrl?.startsWith('https:') === true
}

export function sessionCookie(world: World, request: FastifyRequest) {
  const options = { httpOnly: true, sameSite: 'lax' } as const
  return isHttps(world, request)
    ? { name: HOST_COOKIE, options: { ...options, path: '/', secure: true } }
    : { name: COOKIE, options: { ...options, path: '/admin' } }
}

export const BOARD_PATH = '/admin/queues'

/** Its script repeats the cookie of that name in a header, which no other site can do. */
export const BOARD_COOKIE = 'XSRF-TOKEN'
