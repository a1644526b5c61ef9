// A list as a file of whatever length, made while it is taken: no part of it before its reader has
// taken the one before. A reader that stops is cut off, so that its place goes to another.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ExportPlaces } from '../core/export-places.ts'
import { SECOND } from '../core/time-units.ts'

export interface CsvFile {
  readonly name: string
  readonly accountId: string
  /** Each of whole lines. */
  readonly pieces: AsyncGenerator<string>
}

/** The world, of which this room need know no more. */
export interface Exporting {
  readonly exports: ExportPlaces
  /** How long a reader may take over one part. */
  readonly timings: { readonly stalledReaderMs: number }
}

/** A reader of two kilobytes a second, the slowest telephone line, is steady enough. */
const PART_BYTES = 64 * 1024

/**
 * Its first piece is made before anything is answered, so that what is wrong from the start is
 * answered as an error. What goes wrong later breaks the connection off, and the file is seen to be
 * incomplete. Who goes away ends the making.
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
    return reply.send(first === undefined ? '' : fileOf(reply, stallMs, following(first, pieces)))
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
  // A place that is held by a reader that stopped is free after this.
  reply.header('retry-after', Math.ceil(stallMs / SECOND))
  const leave = exports.take(accountId)
  reply.removeHeader('retry-after')
  reply.raw.once('finish', leave).once('close', leave)
  return leave
}

/** Nothing is kept ready: `highWaterMark` 0 makes a part when the one before has been taken. */
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

async function* following(
  first: IteratorResult<string>,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value
  yield* pieces
}
