// Bodies are JSON. A body without a content type is read as JSON; nothing at all, and "", are an
// empty object.

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { beyondBounds } from './body-bounds.ts'

type Done = (error: Error | null, body?: unknown) => void

const AS_BYTES = { parseAs: 'buffer' } as const

export function readBodies(app: FastifyInstance): void {
  // Refuses __proto__ and constructor.prototype as keys.
  const parse = app.getDefaultJsonParser('error', 'error')

  function readJson(request: FastifyRequest, bytes: Buffer, done: Done): void {
    const text = bytes.toString('utf8')
    const trimmed = text.trim()
    // Decoding has put something else in the place of what is no UTF-8.
    if (!isUtf8(bytes)) done(new Refusal('invalid_json'))
    else if (trimmed === '' || trimmed === '""') done(null, {})
    else {
      const refusal = beyondBounds(bytes)
      if (refusal === undefined) parse(request, text, done)
      else done(refusal)
    }
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', AS_BYTES, readJson)
  app.addContentTypeParser<Buffer>('*', AS_BYTES, (request, bytes, done) => {
    if (request.headers['content-type'] === undefined || bytes.length === 0) {
      return readJson(request, bytes, done)
    }
    return done(new Refusal('unsupported_media_type'))
  })
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.schema?.body !== undefined) request.body ??= {}
  })
  // What a schema knows of has been told by its field: this is for the rest.
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.schema?.body === undefined || !holdsNul(request.body)) return
    throw new Refusal('invalid_request', { faults: { body: ['must not hold NUL'] } })
  })
}

/** Without recursion: what no schema knows may be nested as deep as it likes. */
function holdsNul(body: unknown): boolean {
  const left: unknown[] = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && value.includes('\0')) return true
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) left.push(name, inner)
    }
  }
  return false
}
