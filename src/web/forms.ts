// Parses browser forms. Only the plugins with forms use it.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'

/** The last value of each name. A field that can occur several times uses several names. */
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
 * A line that somebody typed: without invisible characters and those that reverse the text, and cut
 * between characters.
 */
export function lineOf(text: string | undefined, longest: number): string {
  const shown = (text ?? '').replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim()
  return [...shown].slice(0, longest).join('')
}

/**
 * Whether a page of another site sends a request: its payer or operator knows nothing of it.
 *
 * All current browsers say so in a header. Without https they do not, but they still name the site
 * of the page.
 */
export function isFromElsewhere({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>) {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}
