// The disputes and reversals of a transaction, in its story, and beside its status.

import type { Dispute, Reversal } from '../../generated/client.ts'
import { todoWords } from '../pages/disputes.tsx'
import { dollarText, spaced } from '../parts/shown.tsx'
import type { TimelineEntry } from '../parts/timeline.tsx'
import { DISPUTES_PATH } from '../paths.ts'

/** Its opening, and its end. */
export function ofDispute(dispute: Dispute): readonly TimelineEntry[] {
  const { amount, closedAt, gatewayId, id, openedAt, reason, status } = dispute
  const isLost = status === 'lost'
  return [
    {
      at: openedAt,
      isOfAccount: true,
      id,
      isLinked: true,
      title: `Dispute of ${dollarText(amount)} opened`,
      tone: 'bad',
      lines: [spaced(reason), gatewayId, ...(closedAt === null ? [todoWords(dispute)] : [])],
      link: { path: DISPUTES_PATH, words: 'All disputes' },
    },
    ...(closedAt === null
      ? []
      : [
          {
            at: closedAt,
            isOfAccount: true,
            title: `Dispute of ${dollarText(amount)}: ${spaced(status)}`,
            tone: isLost ? ('bad' as const) : ('good' as const),
            lines: [],
          },
        ]),
  ]
}

export function ofReversal({
  amount,
  createdAt,
  gatewayId,
  id,
  kind,
  reason,
}: Reversal): TimelineEntry {
  const words =
    kind === 'refund_failed'
      ? 'did not reach the payer: pay it back in another way'
      : 'was returned by the payer’s bank'
  const title = `${dollarText(amount)} ${words}`
  const lines = [spaced(reason), gatewayId]
  return { at: createdAt, isOfAccount: true, id, isLinked: true, title, tone: 'bad', lines }
}

/** What the status does not say. The id is that of its place in the story. */
export interface AfterMark {
  readonly id: string
  /** Its tone is that of this status. */
  readonly status: string
  readonly words: string
}

/** Open and lost disputes, failed refunds and returned debits. */
export function afterMarksOf({
  disputes,
  reversals,
}: {
  readonly disputes: readonly Dispute[]
  readonly reversals: readonly Reversal[]
}): readonly AfterMark[] {
  return [
    ...disputes
      .filter(({ closedAt, status }) => closedAt === null || status === 'lost')
      .map(({ amount, id, status }) => {
        const state = status === 'lost' ? 'lost' : 'open'
        return { id, status, words: `Dispute ${state}: ${dollarText(amount)}` }
      }),
    ...reversals.map(({ amount, id, kind }) => {
      const [what, end] = kind === 'refund_failed' ? ['Refund', 'failed'] : ['Debit', 'returned']
      return { id, status: 'failed', words: `${what} of ${dollarText(amount)} ${end}` }
    }),
  ]
}
