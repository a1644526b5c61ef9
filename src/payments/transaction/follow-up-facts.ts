// The facts of a row by which core decides what may still be done to it.

import { EASTERN, nextMidnight } from '../../core/business-day.ts'
import type { FollowUpFacts } from '../../core/follow-up.ts'
import type { AccountContext } from './account-context.ts'
import type { BatchedTransaction } from './transaction-row.ts'

/** A card that was there. Refunding it later needs a token of it that outlives the settlement. */
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
    isLinkDeleted,
    isBeforeSandboxMidnight:
      accountContext.mode === 'sandbox' &&
      t.batchedAt !== null &&
      accountContext.now < nextMidnight(t.batchedAt, EASTERN),
    lacksTokenization: t.channel === CARD_PRESENT && !accountContext.settlementTokenizationEnabled,
  }
}
