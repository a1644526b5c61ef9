// An attempt as it is recorded.

import type { Fate, SendAnswer } from '../core/delivery.ts'
import type { TakenDelivery } from './claim-due.ts'
import type { Attempt } from './record-attempt.ts'

/** What a person reads of an error, at most. */
const LONGEST_DETAIL = 500

const CONTROLS = /\p{Cc}/gu

interface Times {
  readonly startedAt: Date
  readonly at: Date
  readonly ms: number
}

export function attemptOf(
  { accountId, id, attempt }: TakenDelivery,
  answer: SendAnswer,
  fate: Fate,
  { startedAt, at, ms }: Times,
): Attempt {
  const { status, tries, dueAt, reason } = fate
  const detail = answer.detail === undefined ? undefined : storable(answer.detail)
  const entry = { at: startedAt.toISOString(), ms, answer: answer.kind, detail }
  return {
    status,
    tries,
    dueAt,
    reason,
    accountId,
    id,
    attempt,
    at,
    providerId: answer.kind === 'taken' && answer.providerId ? storable(answer.providerId) : null,
    lastError: answer.kind === 'taken' ? null : (detail ?? null),
    entry: JSON.stringify(entry),
  }
}

/** A record that the database refuses would have it sent again without end. */
function storable(text: string): string {
  return text.slice(0, LONGEST_DETAIL).toWellFormed().replace(CONTROLS, ' ')
}
