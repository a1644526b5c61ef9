// Answers a list as a CSV file, in the dialect of the key.

import type { FastifyReply } from 'fastify'
import { answerCsv, type CsvFile, type Exporting } from '../web/answer-csv.ts'
import { callerOf } from './requests.ts'
import { linesFor } from './speak-dialect.ts'

export function answerFile(
  reply: FastifyReply,
  exporting: Exporting,
  { name, pieces }: Pick<CsvFile, 'name' | 'pieces'>,
): Promise<FastifyReply> {
  const caller = callerOf(reply.request)
  const { accountId } = caller
  return answerCsv(reply, exporting, { name, accountId, pieces: linesFor(caller, pieces) })
}
