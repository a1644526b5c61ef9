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
