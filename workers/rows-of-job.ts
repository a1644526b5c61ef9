// The rows that a job names. Operators and other tools can put jobs into a queue as well, with
// whatever data: such a job fails once, with a sentence, and nothing else happens.

import { type Job, UnrecoverableError } from 'bullmq'
import { isId } from '../src/core/id.ts'
import type { RowItem } from '../src/queue/catalogue.ts'

const NOT_OURS =
  'Not a job of this service: data must be {"items":[{"accountId","id","requestId"}]}, with UUIDs'

export function rowsOfJob(job: Pick<Job, 'data'>): readonly RowItem[] {
  const { items } = Object(job.data)
  if (!Array.isArray(items) || !items.every(isRowItem)) throw new UnrecoverableError(NOT_OURS)
  return items
}

function isRowItem(value: unknown): value is RowItem {
  const { accountId, id, requestId, replyTo = '', trace = '' } = Object(value)
  const texts = [accountId, id, requestId, replyTo, trace]
  return texts.every((text) => typeof text === 'string') && isId(accountId) && isId(id)
}
