// The rows that a job names. Operators and other tools can put jobs with any data into a queue:
// such a job fails once, with an explanation, and has no other effect.

import { isId } from '../src/core/id.ts'
import type { RowItem } from '../src/queue/catalogue.ts'

export const NOT_OUR_JOB =
  'Not a job of this service: data must be {"items":[{"accountId","id","requestId"}]}, with UUIDs'

/** Undefined if the data is not that of a job of ours. */
export function rowsOfJob(data: unknown): readonly RowItem[] | undefined {
  const { items } = Object(data)
  return Array.isArray(items) && items.every(isRowItem) ? items : undefined
}

function isRowItem(value: unknown): value is RowItem {
  const { accountId, id, requestId, replyTo = '', trace = '' } = Object(value)
  const texts = [accountId, id, requestId, replyTo, trace]
  return texts.every((text) => typeof text === 'string') && isId(accountId) && isId(id)
}
