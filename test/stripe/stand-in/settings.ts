// The settings of the stand-in that a test can make when it opens it, and their defaults.

export interface StripeSettings {
  /** The version of the account, in which events are written whatever version a request has. */
  readonly apiVersion: string
  /** How long a bank debit stays in `processing`. */
  readonly bankDebitsTakeMs: number
  /** Before this time, `balance_transaction` of a captured charge is null. */
  readonly balanceTransactionsAfterMs: number
  /** How long an execution takes, while its idempotency key is in use. */
  readonly executionMs: number
  readonly holdsLastMs: number
  /** How far search lags behind. */
  readonly searchLagMs: number
  /** More requests to an endpoint of one account in a second are answered 429. */
  readonly requestsPerSecond: number
  /** Above the overdraft of an account, a refund that the balance does not cover is refused. */
  readonly refusesPoorRefunds: boolean
  /** Money of each account before its first payment, in cents. */
  readonly openingBalance: number
}

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND

export const DEFAULT_SETTINGS: StripeSettings = {
  // Older than the SDK's, like that of an account that was never upgraded.
  apiVersion: '2024-06-20',
  bankDebitsTakeMs: 4 * DAY,
  balanceTransactionsAfterMs: 2 * SECOND,
  executionMs: 1,
  holdsLastMs: 7 * DAY,
  // Reports say 16 seconds to more than two minutes.
  searchLagMs: 60 * SECOND,
  // Stripe's own limit is 25; a test about the rate sets it.
  requestsPerSecond: Number.POSITIVE_INFINITY,
  refusesPoorRefunds: false,
  openingBalance: 1_000_000_00,
}
