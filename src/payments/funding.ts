// Split Funding: how a charge's money is spread over several accounts of the merchant's choice.

import type { ActingAccount } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import type { Cents } from '../core/money.ts'

export interface Share {
  readonly accountId: string
  readonly amount: Cents
  readonly memo: string | undefined
}

export function refusalOfShares(
  caller: ActingAccount,
  total: Cents,
  shares: readonly Share[],
): Refusal | undefined {
  if (!caller.team.splitFundingEnabled) return new Refusal('split_funding_not_enabled')
  const sum = shares.reduce((all, share) => all + share.amount, 0n)
  if (sum === total) return undefined
  return new Refusal('invalid_request', { faults: { funding: ['must add up to total'] } })
}
