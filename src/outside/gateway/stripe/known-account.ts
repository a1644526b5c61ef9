// The account at Stripe to which our payments were sent. Another account has none of them, which
// would look as if they had never been made. So the keys of another are used only when no payment
// waits for an answer of the former one.

import { firstIdAt } from '../../../core/id.ts'
import type { Query } from '../../../db/database.ts'

/** What our keys' account is to our payments. */
type AccountState =
  | { readonly kind: 'ours' }
  /** No payment waits for another account. */
  | { readonly kind: 'free' }
  | { readonly kind: 'other'; readonly former: string }

export interface KnownAccount {
  stateOf(account: string): Promise<AccountState>
  /** From now on payments are sent there. */
  keep(account: string): Promise<void>
}

const KNOWN = "SELECT account FROM gateway_account WHERE gateway = 'stripe'"

/** Payments that are newer than this process were not sent before. */
const WAITS = `
  SELECT EXISTS (
    SELECT FROM transaction t
    WHERE t.status = 'PENDING' AND t.gateway_name = 'stripe' AND t.id < $1
      AND (t.due_at IS NOT NULL OR t.parked_at IS NOT NULL)
  ) AS waits`

const KEEP = `
  INSERT INTO gateway_account (gateway, account) VALUES ('stripe', $1)
  ON CONFLICT (gateway) DO UPDATE SET account = excluded.account`

export function knownAccount(query: Query, startedAt: Date): KnownAccount {
  return {
    async stateOf(account) {
      const [known] = await query(KNOWN)
      if (known?.account === account) return { kind: 'ours' }
      if (known === undefined) return { kind: 'free' }
      const [found] = await query(WAITS, [firstIdAt(startedAt)])
      return found?.waits === true ? { kind: 'other', former: known.account } : { kind: 'free' }
    },
    async keep(account) {
      await query(KEEP, [account])
    },
  }
}
