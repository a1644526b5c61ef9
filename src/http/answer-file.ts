// Answers a list as a CSV file, in the dialect of the key.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerCsv, type CsvFile, type Exporting } from '../web/answer-csv.ts'
import { callerOf } from './requests.ts'
import { linesFor } from './speak-dialect.ts'

export function answerFile(
  request: Pick<FastifyRequest, 'caller'>,
  reply: FastifyReply,
  exporting: Exporting,
  { name, pieces }: Pick<CsvFile, 'name' | 'pieces'>,
): Promise<FastifyReply> {
  const caller = callerOf(request)
  const { accountId } = caller
  return answerCsv(reply, exporting, { name, accountId, pieces: linesFor(caller, pieces) })
}
