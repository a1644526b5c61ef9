// The catalogue of the API's errors. A code never changes; its message may be improved.

import { NamedError } from './named-error.ts'

interface ErrorEntry {
  readonly status: number
  readonly message: string
  /** For the documentation. */
  readonly remedy: string
}

/** Errors of the request itself, of its caller, or of the caller's request rate. */
const REQUEST_ERRORS = {
  invalid_request: {
    status: 400,
    message: 'the request is invalid',
    remedy: 'Correct the fields that `errors` in the answer names and send it again.',
  },
  unknown_field: {
    status: 400,
    message: 'a field of the request is not known',
    remedy:
      'Correct the name of the field: `errors` in the answer names the one that was probably meant. A void, refund, capture or payment of an invoice refuses unknown fields, and so does a query for payment links; elsewhere unknown fields of a body are ignored, and the header `Ignored-Fields` names them.',
  },
  partial_payment_not_supported: {
    status: 400,
    message: 'an invoice must be paid in full',
    remedy: 'Leave out `apply_balance`, or send the `balance_due` of the invoice.',
  },
  invalid_json: {
    status: 400,
    message: 'the body is not valid JSON',
    remedy: 'Send JSON, encoded as UTF-8.',
  },
  invalid_id: {
    status: 400,
    message: 'an id is malformed',
    remedy: 'Use an id that this API returned.',
  },
  rule_too_complex: {
    status: 400,
    message: 'the rule takes too long to compute',
    remedy:
      'Use a simpler rule: COUNT up to 10,000, up to 1,000 dates, and parts that often match together. Or use several schedules.',
  },
  clock_advance_too_large: {
    status: 400,
    message:
      'the advance would cause more than 100,000 runs within 24 hours, or takes too long to count',
    remedy:
      'Advance the clock in smaller steps, or first delete or pause schedules that run often, or whose `meta` is large. The runs of all advances within 24 hours of real time count together, so a smaller step may have to wait.',
  },
  no_recipient: {
    status: 400,
    message: 'the message has no recipient',
    remedy: 'Give the customer an address, or name recipients in the request.',
  },
  card_data_not_accepted: {
    status: 400,
    message: 'the number of a card or a bank account is not accepted here',
    remedy:
      "With a live key, let the payer's browser turn it into the gateway's token, and send the token; in the sandbox, send it in the fields for it. Names, notes, addresses and `meta` must not contain it.",
  },
  unauthorized: {
    status: 401,
    message: 'a valid API key is required: Authorization: Bearer <key>',
    remedy: 'Send `Authorization: Bearer <key>` with a key that is neither revoked nor expired.',
  },
  team_inactive: {
    status: 403,
    message: 'the team is not active',
    remedy: 'Ask the operator to activate the team.',
  },
  team_disabled: {
    status: 403,
    message: 'the team is not enabled',
    remedy: 'Ask the operator to enable the team.',
  },
  sms_not_enabled: {
    status: 403,
    message: 'text messages are not enabled for the team',
    remedy: 'Ask the operator to enable them: `teams set … sms_enabled=true`.',
  },
  split_funding_not_enabled: {
    status: 403,
    message: 'Split Funding is not enabled for the team',
    remedy: 'Ask the operator to enroll the team, or leave out `funding`.',
  },
  sandbox_only: {
    status: 403,
    message: 'that is possible in a sandbox account only',
    remedy: 'Use a sandbox key.',
  },
  invalid_signature: {
    status: 403,
    message: "the signature is not the provider's signature for this address",
    remedy:
      'Twilio: set `PUBLIC_URL` to the address that it calls, and `TWILIO_AUTH_TOKEN` to the token that it signs with. Stripe: set `STRIPE_WEBHOOK_SECRET` to the secret of the endpoint, and keep the clock right. Checkout.com: set `CHECKOUT_WEBHOOK_SECRET` to the signature key of the webhook.',
  },
  not_found: {
    status: 404,
    message: 'there is no such resource',
    remedy: 'Check the id, the path and which account the key belongs to.',
  },
  method_not_allowed: {
    status: 405,
    message: 'that method is not allowed here',
    remedy: 'The `Allow` header names the methods of this path.',
  },
  request_timeout: {
    status: 408,
    message: 'the request did not arrive in time',
    remedy: 'Send the whole request within 30 s; nothing was begun.',
  },
  body_too_large: {
    status: 413,
    message: 'the body is larger than 1 MiB',
    remedy: 'Send less; `meta` holds at most 16 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'the body must be JSON, with Content-Type: application/json',
    remedy: 'Send `Content-Type: application/json`.',
  },
  expectation_failed: {
    status: 417,
    message: 'only the expectation `100-continue` can be met',
    remedy: 'Leave out the header `Expect`.',
  },
  headers_too_large: {
    status: 431,
    message: 'the headers, or the address, are larger than 16 KiB',
    remedy: 'Send less in headers and query parameters.',
  },
  too_many_exports: {
    status: 429,
    message: 'the account has four exports under way',
    remedy: 'Read one of them to its end, or close its connection, and ask again.',
  },
  rate_limited: {
    status: 429,
    message: 'too many requests',
    remedy: 'Wait the seconds in `Retry-After`; `RateLimit` says how many requests are left.',
  },
} as const satisfies Record<string, ErrorEntry>

/** Errors on our side. */
const OWN_ERRORS = {
  internal_error: {
    status: 500,
    message: 'something went wrong on our side',
    remedy: 'Try again with the same idempotency key; send the `request_id` to the operator.',
  },
  unavailable: {
    status: 503,
    message: 'the service cannot answer right now',
    remedy: 'Try again after the seconds in `Retry-After`, with the same idempotency key.',
  },
  overloaded: {
    status: 503,
    message: 'the service has more to do than it can answer in time: nothing was begun',
    remedy:
      'Try again after the seconds in `Retry-After`, with the same idempotency key. Keys that send the most are refused first.',
  },
  no_live_gateway: {
    status: 503,
    message: 'no live gateway is set up',
    remedy: 'Use a sandbox key, or ask the operator for a live gateway.',
  },
} as const satisfies Record<string, ErrorEntry>

/** Conflicts: the request is valid, but the state of a resource does not allow it. */
const CONFLICTS = {
  transaction_immutable: {
    status: 409,
    message: 'a transaction that the service made cannot be changed',
    remedy: 'Only transactions recorded by hand can be changed; void or refund the others.',
  },
  wrong_state: {
    status: 409,
    message: 'the state of the transaction does not allow that',
    remedy: 'Look at its `status`, `type`, `is_voidable` and `is_refundable`.',
  },
  already_voided: {
    status: 409,
    message: 'the transaction is already voided',
    remedy: 'There is nothing left to do.',
  },
  already_batched: {
    status: 409,
    message: 'the batch of the transaction has closed, so it cannot be voided: refund it instead',
    remedy: 'Refund it instead; `void-or-refund` does what is possible.',
  },
  not_batched_yet: {
    status: 409,
    message:
      'the transaction cannot be refunded before its batch has closed: void it, or refund it then',
    remedy:
      'Void it as a whole instead, or wait until its batch has closed; `void-or-refund` does what is possible.',
  },
  not_refundable_yet: {
    status: 409,
    message:
      'a sandbox transaction can be refunded only after the midnight Eastern that follows its batch',
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
    message: '`previously_refunded` is not the amount refunded so far',
    remedy: 'Read the transaction again: another request has refunded a part of it.',
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
    message: 'the payment link is deleted: its payments can no longer be made or changed',
    remedy: 'Create another link; the payments made through this one stay as they are.',
  },
  in_use: {
    status: 409,
    message: 'another resource uses it',
    remedy: '`message` names that resource; end it first.',
  },
  invoice_already_paid: {
    status: 409,
    message: 'the invoice is already paid',
    remedy: 'There is nothing left to pay: look at its `total_paid`.',
  },
  sent_too_often: {
    status: 409,
    message: 'it was sent too often within 24 hours',
    remedy:
      'Send it again later: each invoice and each receipt goes out at most five times within 24 hours by each channel. `GET /invoice/{id}` has the `url` of the bill, to be passed on in another way. Waiting some seconds does not help, so this is not a 429.',
  },
  payment_under_way: {
    status: 409,
    message: 'a payment of the invoice is under way',
    remedy: 'Wait for its outcome; if it fails, the invoice can be paid again.',
  },
  too_many_webhooks: {
    status: 409,
    message: 'an account has 20 webhooks at most',
    remedy: 'Delete one that is not needed, or subscribe one to more events.',
  },
  replay_under_way: {
    status: 409,
    message: 'a replay to the webhook is under way',
    remedy: 'Wait until the webhook says `replaying: false`, or disable it to end the replay.',
  },
  clock_advancing: {
    status: 409,
    message: "the account's clock is being advanced",
    remedy:
      'Wait until `GET /sandbox/clock` says `ready`, and send it again: a repeat gets its answer then. Reads work meanwhile.',
  },
  clock_backwards: {
    status: 409,
    message: "the clock cannot be set before the account's newest row",
    remedy: 'Use a later instant.',
  },
  clock_ahead: {
    status: 409,
    message: 'the clock is ahead of real time, and work is still pending',
    remedy:
      'Finish or delete the pending work first, or wait until real time has reached the clock.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'this idempotency key belongs to another request',
    remedy: 'Use a new key for a new request; `errors` names what differs.',
  },
} as const satisfies Record<string, ErrorEntry>

export const ERROR_CATALOGUE = { ...REQUEST_ERRORS, ...CONFLICTS, ...OWN_ERRORS }

export type ErrorCode = keyof typeof ERROR_CATALOGUE

/** Faults by field; nested fields are dotted, as in `ccEmails.0`. */
export type Faults = Readonly<Record<string, readonly string[]>>

/** A refusal that is returned to the caller as it is. */
export class Refusal extends NamedError {
  readonly code: ErrorCode
  readonly faults: Faults | undefined

  constructor(code: ErrorCode, options: { message?: string; faults?: Faults } = {}) {
    super(options.message ?? firstFault(options.faults) ?? ERROR_CATALOGUE[code].message)
    this.code = code
    this.faults = options.faults
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status
  }
}

/** `fault` follows the field's name in a sentence. */
export function wrongField(field: string, fault: string): Refusal {
  return new Refusal('invalid_request', { faults: { [field]: [fault] } })
}

/** The field holds the id of nothing that is there. */
export function unknownId(field: string): Refusal {
  return new Refusal('not_found', { faults: { [field]: ['is unknown'] } })
}

interface Problem {
  readonly code: string
  readonly message: string
  readonly faults?: Faults | undefined
}

/** The body of each answer that refuses a request, of the API and of all pages. */
export function problemOf({ code, message, faults }: Problem, requestId: string) {
  return {
    error: code,
    message,
    ...(faults === undefined ? {} : { errors: faults }),
    request_id: requestId,
  }
}

function firstFault(faults: Faults | undefined): string | undefined {
  const [field, texts] = Object.entries(faults ?? {})[0] ?? []
  return field === undefined ? undefined : `${field} ${texts?.[0]}`
}
