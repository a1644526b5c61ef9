// Reads when an invoice is due. A date alone is stored as its first instant in UTC. The same
// instant may be sent as a time, such as 8 pm Eastern, so that is remembered beside it.

import { parseInstant, precisionOf } from '../core/instant.ts'
import type { Invoice } from '../generated/client.ts'

export type DueTime = Pick<Invoice, 'payBy' | 'isPayByExact'>

const NEVER: DueTime = { payBy: null, isPayByExact: null }

/** Null or empty if the invoice has no due time. Undefined if the text is no instant. */
export function readDueTime(text: string | null): DueTime | undefined {
  if (text === null || text === '') return NEVER
  const payBy = parseInstant(text)
  if (payBy === undefined) return undefined
  switch (precisionOf(text)) {
    case 'date':
      return { payBy, isPayByExact: false }
    case 'wall clock':
      return { payBy, isPayByExact: null }
    case 'exact':
      return { payBy, isPayByExact: isMidnight(payBy) ? true : null }
  }
}

/** Removes a due time that says no more than the invoice's own, as when an answer is sent back. */
export function keepDueTime<C extends Partial<DueTime>>(held: DueTime, change: C): C {
  const { payBy, isPayByExact, ...others } = change
  const isKept = payBy?.getTime() === held.payBy?.getTime() && isPayByExact !== false
  return isKept ? (others as C) : change
}

/** In UTC. */
export function isMidnight(at: Date): boolean {
  return at.toISOString().endsWith('T00:00:00.000Z')
}
