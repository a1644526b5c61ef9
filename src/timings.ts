// The waits and limits of the service that need no setting, each with its reason. Tests pass
// others.

import type { Backoff } from './core/backoff.ts'
import { MINUTE, SECOND } from './core/time-units.ts'

export interface Timings {
  readonly nudgeGraceMs: number
  readonly gatewayTimeoutMs: number
  readonly leaseMs: number
  readonly paymentLeaseMs: number
  readonly deliveryLeaseMs: number
  readonly sweepEveryMs: number
  readonly overdueCheckEveryMs: number
  readonly recheckEveryMs: number
  readonly jobLockMs: number
  readonly keepSchedulersEveryMs: number
  readonly askAgain: Backoff
  readonly messageTimeoutMs: number
  readonly slowMessageMs: number
  readonly webhookTimeoutMs: number
  readonly failedSignInsAMinute: number
  readonly signInsAMinute: number
  readonly strangerSignInsAMinute: number
  readonly paymentsAMinute: number
  readonly failedPaymentsAMinute: number
  readonly failedPaymentsOfPageAMinute: number
  readonly failedPaymentsUnderAttackAMinute: number
  readonly lateFailureMs: number
  readonly tokensAMinute: number
  readonly receiptsAMinute: number
  readonly unsubscribesAMinute: number
  readonly stalledReaderMs: number
  readonly heartbeatEveryMs: number
}

export const defaultTimings: Timings = {
  // A nudge is handled within milliseconds. A row that no worker took for this long has lost its
  // nudge.
  nudgeGraceMs: 5 * SECOND,
  // Card networks answer within seconds. A gateway without an answer for this long is silent.
  gatewayTimeoutMs: 20 * SECOND,
  // For batches, sandbox clocks, and a payment that an operator decides: that one is not renewed.
  // Longer than the gateway's answer and its recording take.
  leaseMs: 30 * SECOND,
  // A payment of a worker that died is asked about after this long. A living worker renews it.
  paymentLeaseMs: 5 * SECOND,
  // A message of a worker that died is sent by another after this long. A living worker renews it.
  deliveryLeaseMs: 30 * SECOND,
  // How long other work than payments may wait for a nudge that was lost.
  sweepEveryMs: 15 * SECOND,
  // How long a payment may wait that has become overdue: one read of an index for each worker
  // process.
  overdueCheckEveryMs: SECOND,
  // A message wakes a waiting caller. If the message is lost, the caller looks after one to two of
  // these.
  recheckEveryMs: 2 * SECOND,
  // A dead worker is noticed after this long, and another gets its jobs.
  jobLockMs: 30 * SECOND,
  // A store that started without its schedules, or lost them in a flush, gets them back after this
  // long.
  keepSchedulersEveryMs: 10 * SECOND,
  // Most silences are broken connections and end at once. More questions do not help in an outage.
  askAgain: { firstMs: SECOND, mostMs: 5 * MINUTE },
  // Some mail servers take up to a minute for a greeting or a spam check.
  messageTimeoutMs: 60 * SECOND,
  // A message that takes longer than this may hang because of its recipient.
  slowMessageMs: 2 * SECOND,
  // As the webhook documentation promises.
  webhookTimeoutMs: 15 * SECOND,
  // From one client address: more than a person mistypes, and too few for guessing.
  failedSignInsAMinute: 30,
  // Sign-ins to the console from one client address, right or wrong.
  signInsAMinute: 10,
  // By password, from all addresses together without a recent sign-in. So a thousand addresses can
  // try no more passwords than this.
  strangerSignInsAMinute: 20,
  // On payers' pages, from one client address: more than a family at one table pays, and too few
  // for testing stolen cards.
  paymentsAMinute: 20,
  // From one client address, on all pages: attempts that failed. A payer has few cards.
  failedPaymentsAMinute: 8,
  // On one page, from all addresses. Beyond this, cards are being tested on the page, and each
  // address gets only two attempts there. So a payer still gets through, and a crowd of addresses
  // gains little.
  failedPaymentsOfPageAMinute: 60,
  failedPaymentsUnderAttackAMinute: 2,
  // A payment that its page left PENDING counts as failed if it has failed after this long: longer
  // than a gateway's answer takes.
  lateFailureMs: 30 * SECOND,
  // A mistyped card is sent again.
  tokensAMinute: 30,
  // Receipts to an address that the payer enters.
  receiptsAMinute: 5,
  // A mail provider opts out for many of its users from one address.
  unsubscribesAMinute: 60,
  // A caller that reads nothing of an answer for this long has gone, or blocks a place on purpose.
  stalledReaderMs: 30 * SECOND,
  // How often a process writes its heartbeat and its counts. The console's charts move as often.
  heartbeatEveryMs: 2 * SECOND,
}
