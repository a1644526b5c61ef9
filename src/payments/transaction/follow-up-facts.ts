// The facts of a row from which core decides what can still be done to it.

import { EASTERN, nextMidnight } from '../../core/business-day.ts'
import type { FollowUpFacts } from '../../core/follow-up.ts'
import type { AccountContext } from './account-context.ts'
import type { BatchedTransaction } from './transaction-row.ts'

/** A card-present charge. A later refund needs a token of the card that outlives the settlement. */
const CARD_PRESENT = 'card_present'

export function followUpFactsOf(
  t: BatchedTransaction,
  isLinkDeleted: boolean,
  accountContext: AccountContext,
): FollowUpFacts {
  return {
    type: t.type,
    status: t.status,
    isManual: t.isManual,
    isVoided: t.isVoided,
    isVoidUnderWay: t.voidId !== null && !t.isVoided,
    isBatched: t.batchedAt !== null,
    total: t.total,
    captured: t.captured,
    refunded: t.refunded,
    reserved: t.reserved,
    children: t.children,
    isHoldEnded: t.holdEndedAt !== null,
    isLinkDeleted,
    isBeforeSandboxMidnight:
      accountContext.mode === 'sandbox' &&
      t.batchedAt !== null &&
      accountContext.now < nextMidnight(t.batchedAt, EASTERN),
    lacksTokenization: t.channel === CARD_PRESENT && !accountContext.settlementTokenizationEnabled,
  }
}
