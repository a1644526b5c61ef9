// The waits and bounds of the service that nobody needs to set, each with its reason. Tests hand in
// others.

import type { Backoff } from './core/backoff.ts'
import { MINUTE, SECOND } from './core/time-units.ts'

export interface Timings {
  readonly nudgeGraceMs: number
  readonly gatewayTimeoutMs: number
  readonly leaseMs: number
  readonly deliveryLeaseMs: number
  readonly sweepEveryMs: number
  readonly recheckEveryMs: number
  readonly jobLockMs: number
  readonly keepSchedulesEveryMs: number
  readonly askAgain: Backoff
  readonly messageTimeoutMs: number
  readonly webhookTimeoutMs: number
  readonly failedSignInsAMinute: number
  readonly signInsAMinute: number
  readonly strangerSignInsAMinute: number
  readonly paymentsAMinute: number
  readonly failedPaymentsAMinute: number
  readonly failedPaymentsOfPageAMinute: number
  readonly failedPaymentsUnderAttackAMinute: number
  readonly tokensAMinute: number
  readonly receiptsAMinute: number
  readonly stalledReaderMs: number
  readonly pulseEveryMs: number
}

export const defaultTimings: Timings = {
  // A nudge is picked up within milliseconds; a row that nobody took for this long has lost its
  // nudge.
  nudgeGraceMs: 10 * SECOND,
  // Card networks answer within seconds. Who says nothing for this long is treated as silent.
  gatewayTimeoutMs: 20 * SECOND,
  // Longer than the gateway may take and the recording after it, so that the sweep never doubts a
  // living worker.
  leaseMs: 30 * SECOND,
  // A message of a worker that died is sent by another after this long. Who lives renews it.
  deliveryLeaseMs: 30 * SECOND,
  // How long a lost nudge may go unnoticed, beyond the grace.
  sweepEveryMs: 15 * SECOND,
  // A waiting caller is told by message; this is for the message that got lost, once to twice as
  // late.
  recheckEveryMs: 2 * SECOND,
  // A worker that died is noticed after this long, and its jobs go to another.
  jobLockMs: 30 * SECOND,
  // A store that came without its schedules, or lost them to a flush, has them back after this
  // long.
  keepSchedulesEveryMs: 10 * SECOND,
  // Most silences are a connection cut short, over in a moment; an outage is not helped by more
  // questions.
  askAgain: { firstMs: SECOND, mostMs: 5 * MINUTE },
  // Mail servers take their time over greetings and over spam; some a minute.
  messageTimeoutMs: 60 * SECOND,
  // What the contract with those who receive them says.
  webhookTimeoutMs: 15 * SECOND,
  // Of one client address: more than a person who mistyped makes, and too few to guess by.
  failedSignInsAMinute: 30,
  // To the console, of one client address, right or wrong.
  signInsAMinute: 10,
  // By password, of all addresses together from which no operator has signed in lately: a thousand
  // addresses try no more passwords than this.
  strangerSignInsAMinute: 20,
  // On the pages of payers, of one client address: more than a family at one table pays, and too
  // few to try out stolen cards by.
  paymentsAMinute: 20,
  // Of one client address, on all pages: attempts that were not approved. A payer has a few cards.
  failedPaymentsAMinute: 8,
  // On one page, from all addresses. Beyond it the page is being used to try out cards, and every
  // address has but two attempts on it, so that a payer still gets through and a crowd of
  // addresses gets little.
  failedPaymentsOfPageAMinute: 60,
  failedPaymentsUnderAttackAMinute: 2,
  // A card that was mistyped is sent again.
  tokensAMinute: 30,
  // Receipts that somebody has sent to an address of their choice.
  receiptsAMinute: 5,
  // A caller that takes nothing of an answer for this long has gone, or means to hold a place.
  stalledReaderMs: 30 * SECOND,
  // How often a process says that it lives, and what it has done since: the charts of the console
  // move so often.
  pulseEveryMs: 2 * SECOND,
}
