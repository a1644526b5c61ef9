// Whether a page of another site sends a request: its payer or operator knows nothing of it.

import type { FastifyRequest } from 'fastify'

/**
 * As browsers tell, all that are still looked after. Where they do not, for want of https, they
 * still say whose page it is.
 */
export function isFromElsewhere({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>) {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}
