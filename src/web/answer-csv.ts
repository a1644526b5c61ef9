// Sends a list of any length as a file that is made while it is read: each part is made only after
// the reader has taken the previous one. A reader that stops is cut off, so that another export can
// begin.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Refusal } from '../core/errors.ts'
import type { ExportPlaces } from '../core/export-places.ts'
import { SECOND } from '../core/time-units.ts'

export interface CsvFile {
  readonly name: string
  readonly accountId: string
  /** Each chunk has whole lines. */
  readonly pieces: AsyncGenerator<string>
}

/** The part of the world that this module needs. */
export interface Exporting {
  readonly exports: ExportPlaces
  /** How long a reader may take for one part. */
  readonly timings: { readonly stalledReaderMs: number }
}

/** Its caller never sees it. */
export const CLIENT_GONE = new Refusal('invalid_request', { message: 'the client is gone' })

/** At least two kilobytes a second, which even the slowest telephone line reads. */
const PART_BYTES = 64 * 1024

/**
 * The first chunk is made before anything is sent, so that an early error is answered as an error.
 * A later error closes the connection, and the file is visibly incomplete. If the client goes away,
 * the export ends.
 */
export async function answerCsv(
  reply: FastifyReply,
  { exports, timings: { stalledReaderMs: stallMs } }: Exporting,
  { name, accountId, pieces }: CsvFile,
): Promise<FastifyReply> {
  const isWanted = reply.request.method !== 'HEAD'
  const leave = isWanted ? takePlace(reply, exports, accountId, stallMs) : () => {}
  try {
    const first = isWanted ? await pieces.next() : undefined
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
    // An empty text would say that the file is empty: its length is known only when it is made.
    if (first === undefined) return reply.send(Readable.from([]))
    return reply.send(fileOf(reply, stallMs, following(first, pieces)))
  } catch (error) {
    leave()
    throw error
  }
}

function takePlace(
  reply: FastifyReply,
  exports: ExportPlaces,
  accountId: string,
  stallMs: number,
): () => void {
  // A place that a stalled reader holds is free after this time.
  reply.header('retry-after', Math.ceil(stallMs / SECOND))
  const leave = exports.take(accountId)
  reply.removeHeader('retry-after')
  reply.raw.once('finish', leave).once('close', leave)
  // The connection of a client that went away before has closed, and neither event comes.
  if (reply.raw.destroyed) {
    leave()
    throw CLIENT_GONE
  }
  return leave
}

/** With `highWaterMark` 0 a part is made only after the previous one was taken. */
function fileOf({ raw }: FastifyReply, stallMs: number, pieces: AsyncGenerator<string>): Readable {
  let stalled: NodeJS.Timeout | undefined
  const awaitReader = () => {
    clearTimeout(stalled)
    stalled = setTimeout(() => raw.destroy(), stallMs)
  }
  raw.once('finish', () => clearTimeout(stalled)).once('close', () => clearTimeout(stalled))
  async function* parts(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece)
      for (let at = 0; at < bytes.length; at += PART_BYTES) {
        awaitReader()
        yield bytes.subarray(at, at + PART_BYTES)
        clearTimeout(stalled)
      }
    }
    awaitReader()
  }
  return Readable.from(parts(), { objectMode: false, highWaterMark: 0 })
}

/**
 * With a byte order mark. Without it, Excel reads a file in a code page of its own, and garbles
 * accents; programs that read the API's files would take it for a part of the first name.
 */
export async function* marked(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  let mark = '\u{feff}'
  for await (const piece of pieces) {
    yield mark + piece
    mark = ''
  }
}

async function* following(
  first: IteratorResult<string>,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value
  yield* pieces
}
