// An export whose client went away before its file began.

import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import { ExportPlaces } from '../../src/core/export-places.ts'
import { answerCsv } from '../../src/web/answer-csv.ts'

/** Its connection has closed, so that no event comes any more. */
function closedReply(): FastifyReply {
  const raw = { destroyed: true, once: () => raw }
  const reply = { raw, request: { method: 'GET' }, send: () => reply, type: () => reply }
  const header = () => reply
  return Object.assign(reply, { header, removeHeader: header }) as unknown as FastifyReply
}

async function* pieces() {
  yield 'id'
}

it('holds no place', async () => {
  const world = { exports: new ExportPlaces(), timings: { stalledReaderMs: 1_000 } }
  const file = { name: 'a.csv', accountId: 'one', pieces: pieces() }
  for (let n = 0; n < 5; n += 1) {
    await expect(answerCsv(closedReply(), world, file)).rejects.toThrow('the client is gone')
  }
})
