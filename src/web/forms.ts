// Forms as browsers send them. They are read in the plugins that have forms, and nowhere else.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'

/** The last of each name; a field that may come several times has a name for each. */
export type Form = Readonly<Record<string, string>>

const FORM_TYPE = 'application/x-www-form-urlencoded'

export const FORM_BYTES = 64 * 1024

export function readForms(own: FastifyInstance): void {
  own.removeAllContentTypeParsers()
  own.addContentTypeParser<string>(FORM_TYPE, { parseAs: 'string' }, (_request, text, done) => {
    done(null, Object.fromEntries(new URLSearchParams(text)))
  })
  own.addContentTypeParser('*', (_request, _payload, done) => {
    done(new Refusal('unsupported_media_type', { message: 'the body must be a form' }))
  })
}

export function formOf({ body }: Pick<FastifyRequest, 'body'>): Form {
  return (body ?? {}) as Form
}

/**
 * Whether a page of another site sends a request: its payer or operator knows nothing of it.
 *
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
