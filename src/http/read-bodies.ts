// Bodies are JSON. A body without a content type is read as JSON; nothing at all, and "", are an
// empty object.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'

type Done = (error: Error | null, body?: unknown) => void

export function readBodies(app: FastifyInstance): void {
  // Refuses __proto__ and constructor.prototype as keys.
  const parse = app.getDefaultJsonParser('error', 'error')

  function readJson(request: FastifyRequest, text: string, done: Done): void {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed === '""') done(null, {})
    else parse(request, text, done)
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) =>
    readJson(request, String(text), done),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    if (request.headers['content-type'] === undefined || text.length === 0) {
      return readJson(request, String(text), done)
    }
    return done(new Refusal('unsupported_media_type'))
  })
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.schema?.body !== undefined) request.body ??= {}
  })
}
