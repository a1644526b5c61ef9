// Conflicts: the request is valid, but the state of a resource does not allow it.

import type { ErrorEntry } from './entry.ts'

export const CONFLICTS = {
  transaction_immutable: {
    status: 409,
    message: 'a transaction that the service made cannot be changed',
    remedy: 'Only what was recorded by hand can; void or refund the others.',
  },
  wrong_state: {
    status: 409,
    message: 'the state of the transaction does not allow that',
    remedy: 'Look at its `status`, `type`, `is_voidable` and `is_refundable`.',
  },
  already_voided: {
    status: 409,
    message: 'the transaction is voided already',
    remedy: 'There is nothing left to do.',
  },
  already_batched: {
    status: 409,
    message: 'a batch has taken the transaction: it cannot be voided any more',
    remedy: 'Refund it instead.',
  },
  not_batched_yet: {
    status: 409,
    message: 'no batch has taken the transaction yet: it cannot be refunded',
    remedy: 'Void it instead, or wait for its batch.',
  },
  not_refundable_yet: {
    status: 409,
    message: 'a sandbox transaction can be refunded from the midnight Eastern after its batch on',
    remedy: 'Try again after 12 am Eastern.',
  },
  partial_void_not_supported: {
    status: 409,
    message: 'a void takes the whole amount',
    remedy: 'Leave out `total`, or refund a part once a batch has taken the transaction.',
  },
  settlement_tokenization_required: {
    status: 409,
    message: 'a card-present charge cannot be refunded without Settlement Tokenization',
    remedy: 'Ask the operator to enable Settlement Tokenization for the team.',
  },
  refund_exceeds_remaining: {
    status: 409,
    message: 'that is more than is left to refund',
    remedy: 'Refunds under way count too: look at `total_refunded` and at the children.',
  },
  refund_mismatch: {
    status: 409,
    message: '`previously_refunded` is not what has been refunded so far',
    remedy: 'Look at the transaction again: somebody else has refunded a part of it.',
  },
  capture_exceeds_remaining: {
    status: 409,
    message: 'that is more than is left to capture',
    remedy: 'Captures under way count too: look at `child_captures`.',
  },
  payment_link_inactive: {
    status: 409,
    message: 'the payment link is not active',
    remedy: 'Activate the link, or charge without it.',
  },
  payment_link_deleted: {
    status: 409,
    message: 'the payment link is deleted: nothing more is done through it',
    remedy: 'Make another link; what was paid through this one stays as it is.',
  },
  in_use: {
    status: 409,
    message: 'something else needs it',
    remedy: '`message` says what; end that first.',
  },
  invoice_already_paid: {
    status: 409,
    message: 'the invoice is paid already',
    remedy: 'There is nothing left to pay: look at its `total_paid`.',
  },
  payment_under_way: {
    status: 409,
    message: 'a payment of the invoice is under way',
    remedy: 'Wait for its outcome; if it fails, the invoice can be paid again.',
  },
  too_many_webhooks: {
    status: 409,
    message: 'an account has 20 webhooks at most',
    remedy: 'Delete one that is not needed, or have one told of more events.',
  },
  replay_under_way: {
    status: 409,
    message: 'a replay to the webhook is under way',
    remedy: 'Wait until the webhook says `replaying: false`, or disable it to end the replay.',
  },
  clock_advancing: {
    status: 409,
    message: "the account's clock is being advanced",
    remedy: 'Wait until `GET /sandbox/clock` says that it is `ready`; reading works meanwhile.',
  },
  clock_backwards: {
    status: 409,
    message: 'the clock cannot be set back before what has happened',
    remedy: "Name an instant that is not before the account's newest row.",
  },
  clock_ahead: {
    status: 409,
    message: 'the clock is ahead of real time, and something is still owed',
    remedy: 'Finish or delete what is owed first, or wait until real time has come that far.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'this idempotency key belongs to another request',
    remedy: 'Use a new key for a new request; `errors` names what differs.',
  },
} as const satisfies Record<string, ErrorEntry>
