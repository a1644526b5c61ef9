// The disputes and reversals of a transaction, in its story.

import type { Dispute, Reversal } from '../../generated/client.ts'
import { todoWords } from '../pages/disputes.tsx'
import { dollarText, spaced } from '../parts/shown.tsx'
import type { TimelineEntry } from '../parts/timeline.tsx'

/** Its opening, and its end. */
export function ofDispute(dispute: Dispute): readonly TimelineEntry[] {
  const { amount, closedAt, gatewayId, id, openedAt, reason, status } = dispute
  const isLost = status === 'lost'
  return [
    {
      at: openedAt,
      isOfAccount: true,
      id,
      title: `Dispute of ${dollarText(amount)} opened`,
      tone: 'bad',
      lines: [spaced(reason), gatewayId, ...(closedAt === null ? [todoWords(dispute)] : [])],
      link: { path: '/admin/disputes', words: 'All disputes' },
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
  return { at: createdAt, isOfAccount: true, id, title, tone: 'bad', lines }
}
