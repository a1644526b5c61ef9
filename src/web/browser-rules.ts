// The browser policy of our pages: they load only from here, send forms only to here, and cannot be
// framed.

import type { FastifyInstance } from 'fastify'

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'frame-src': "'none'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

export type Policy = Readonly<Partial<Record<keyof typeof POLICY, string>>>

export function policyText(exceptions: Policy = {}): string {
  return Object.entries({ ...POLICY, ...exceptions })
    .map(([what, who]) => `${what} ${who}`)
    .join('; ')
}

export const BROWSER_RULES = {
  'content-security-policy': policyText(),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** The rules of every answer that is no page: it is data, loads nothing and cannot be framed. */
export const ANSWER_RULES = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** What @fastify/cors sets for all answers. */
const OF_OTHER_ORIGINS = ['access-control-allow-origin', 'access-control-expose-headers'] as const

/**
 * Sets the rules of every answer of a plugin. A route that needs other rules sets them itself. A
 * page of another origin may read the API, but not our pages.
 */
export function keepBrowserRules(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(BROWSER_RULES)
    for (const name of OF_OTHER_ORIGINS) reply.removeHeader(name)
  })
}
