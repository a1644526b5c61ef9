// What a transaction means to who reads of it.

import type { ToldTransaction } from './read-transaction.ts'

export type Story =
  | 'received'
  /** Given back before it was settled. */
  | 'canceled'
  /** Set aside, and nothing taken yet. */
  | 'authorized'
  | 'released'
  | 'refunded'
  | 'credited'
  | 'failed'
  | 'under way'

/** The row as it is now, not as it was when the message was asked for. */
export function letterStoryOf({ transaction, parent }: ToldTransaction): Story {
  const { type, status, isVoided } = transaction
  if (status !== 'SUCCESS') return status === 'FAILED' ? 'failed' : 'under way'
  switch (type) {
    case 'charge':
    case 'capture':
      return isVoided ? 'canceled' : 'received'
    case 'pre_auth':
      return isVoided ? 'released' : 'authorized'
    case 'void':
      return parent?.type === 'pre_auth' ? 'released' : 'canceled'
    case 'refund':
      return 'refunded'
    case 'credit':
      return 'credited'
  }
}
