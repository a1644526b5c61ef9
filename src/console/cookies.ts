// The cookies of the console, and where a browser sends them.

import type { FastifyRequest } from 'fastify'
import type { World } from '../world.ts'

export const COOKIE = 'lamplighter_session'
const DONE_COOKIE = 'lamplighter_done'

type ConfiguredWorld = Pick<World, 'config'>

/** A browser accepts a cookie with this prefix only from its own host and only over https. */
const HOST = '__Host-'

/**
 * If PUBLIC_URL is https, every browser uses https, even if an untrusted proxy hides it from us.
 * Browsers treat their own machine as secure, so a forwarded port works too.
 */
export function isHttps({ config }: ConfiguredWorld, request: FastifyRequest): boolean {
  return request.protocol === 'https' || config.publicUrl?.startsWith('https:') === true
}

export function sessionCookie(world: ConfiguredWorld, request: FastifyRequest) {
  return ownCookie(world, request, COOKIE)
}

/** The result of the last action, for the page that follows. */
export function doneCookie(world: ConfiguredWorld, request: FastifyRequest) {
  return ownCookie(world, request, DONE_COOKIE)
}

/** Without https, which is meant for the machine itself, a cookie has its plain name. */
function ownCookie(world: ConfiguredWorld, request: FastifyRequest, name: string) {
  const options = { httpOnly: true, sameSite: 'lax' } as const
  return isHttps(world, request)
    ? { name: `${HOST}${name}`, options: { ...options, path: '/', secure: true } }
    : { name, options: { ...options, path: '/admin' } }
}

export const BOARD_PATH = '/admin/queues'

/** The board's script repeats this cookie in a header, which no other site can do. */
export const BOARD_COOKIE = 'XSRF-TOKEN'
