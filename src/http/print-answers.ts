// Prints answers, in the dialect of the request's key. Lists are printed row by row, and other
// requests are answered in between: a page of the largest rows has tens of megabytes.

import type { FastifyInstance } from 'fastify'
import { mapInTurns } from '../core/next-turn.ts'
import { shownTo } from './speak-dialect.ts'

/** A hook with a callback, because it runs for every answer. */
export function printAnswers(app: FastifyInstance): void {
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const rows = rowsOf(payload)
    if (rows === undefined) return done(null, shownTo(request, payload))
    // An answer that has begun may take longer.
    clearTimeout(request.late)
    mapInTurns(rows, (row) => JSON.stringify(shownTo(request, row)))
      .then((texts) => listText(payload, texts.join()))
      .then((text) => {
        reply.serializer(String)
        done(null, text)
      }, done)
  })
}

/** The rows of an answer that is a list, bare or in its envelope, whose first field they are. */
function rowsOf(payload: unknown): readonly unknown[] | undefined {
  if (Array.isArray(payload)) return payload
  const { data } = Object(payload)
  return Array.isArray(data) && Object.keys(Object(payload))[0] === 'data' ? data : undefined
}

/** As JSON.stringify would write it. The envelope has no other list. */
function listText(payload: unknown, rows: string): string {
  if (Array.isArray(payload)) return `[${rows}]`
  return JSON.stringify({ ...Object(payload), data: [] }).replace('[]', () => `[${rows}]`)
}
