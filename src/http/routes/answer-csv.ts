// A list as a file of whatever length, made while it is taken.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Its first piece is made before anything is answered, so that what is wrong from the start is
 * answered as an error. What goes wrong later breaks the connection off, and the file is seen to be
 * incomplete. Who goes away ends the making.
 */
export async function answerCsv(
  reply: FastifyReply,
  name: string,
  pieces: AsyncGenerator<string>,
): Promise<FastifyReply> {
  const isWanted = reply.request.method !== 'HEAD'
  const first = isWanted ? await pieces.next() : undefined
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
  return reply.send(first === undefined ? '' : Readable.from(following(first, pieces)))
}

async function* following(
  first: IteratorResult<string>,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value
  yield* pieces
}
