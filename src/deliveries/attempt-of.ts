// An attempt as it is recorded.

import type { Fate, SendAnswer } from '../core/delivery.ts'
import { storable } from '../core/text.ts'
import type { TakenDelivery } from './claim-due.ts'
import type { Attempt } from './record-attempt.ts'

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
