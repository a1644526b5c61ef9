// The accounts at Stripe into which an account of ours is paid, or has been paid.

import type { Query } from '../../../db/database.ts'

export interface MerchantAccounts {
  /** The connected account of an account of ours. Undefined for the platform's own. */
  connectedAccountOf(accountId: string): Promise<string | undefined>
  /** Those of its payment methods, as far as their news is read: a merchant may have left one. */
  usedAccountsOf(accountId: string): Promise<readonly (string | undefined)[]>
}

const CONNECTED = 'SELECT gateway_account FROM account WHERE id = $1'

/** A token begins with its account, which is empty for the platform's own. */
const USED = `
  WITH used AS (
    SELECT DISTINCT split_part(gateway_token, ':', 1) AS place
    FROM payment_method WHERE account_id = $1 AND gateway_name = 'stripe'
  )
  SELECT place FROM gateway_feed JOIN used USING (place) WHERE gateway_name = 'stripe'
  ORDER BY place`

export function merchantAccounts(query: Query): MerchantAccounts {
  return {
    async connectedAccountOf(accountId) {
      const [row] = await query(CONNECTED, [accountId])
      return row?.gateway_account ?? undefined
    },
    async usedAccountsOf(accountId) {
      const rows = await query(USED, [accountId])
      return rows.map(({ place }) => (place === '' ? undefined : place))
    },
  }
}
