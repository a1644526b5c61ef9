// The catalogue of everything that the API can answer but success. A code is for ever; its message
// may be made clearer. The remedy is for the documentation.

interface Entry {
  readonly status: number
  readonly message: string
  readonly remedy: string
}

export const CATALOGUE = {
  invalid_request: {
    status: 400,
    message: 'the request is invalid',
    remedy: 'Mend the fields that `errors` names and send it again.',
  },
  invalid_json: {
    status: 400,
    message: 'the body is not valid JSON',
    remedy: 'Send JSON, encoded as UTF-8.',
  },
  invalid_id: {
    status: 400,
    message: 'that is not an id',
    remedy: 'Ids are UUIDs, as this API answered them.',
  },
  card_data_not_accepted: {
    status: 400,
    message: 'a live account takes payment_method_token, never a card or bank account number',
    remedy: "Let the payer's browser turn the number into the gateway's token, and send that.",
  },
  unauthorized: {
    status: 401,
    message: 'a valid API key is required',
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
  split_funding_not_enabled: {
    status: 403,
    message: 'Split Funding is not enabled for the team',
    remedy: 'Ask the operator to enroll the team, or leave out `funding`.',
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
  idempotency_conflict: {
    status: 409,
    message: 'this idempotency key belongs to another request',
    remedy: 'Use a new key for a new request; `errors` names what differs.',
  },
  body_too_large: {
    status: 413,
    message: 'the body is larger than 1 MiB',
    remedy: 'Send less; `meta` holds at most 16 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'the body must be JSON',
    remedy: 'Send `Content-Type: application/json`.',
  },
  rate_limited: {
    status: 429,
    message: 'too many requests',
    remedy: 'Wait for the seconds of `Retry-After`; `RateLimit` tells what is left.',
  },
  internal_error: {
    status: 500,
    message: 'something went wrong on our side',
    remedy: 'Try again with the same idempotency key; tell the operator the `request_id`.',
  },
  unavailable: {
    status: 503,
    message: 'the service cannot answer right now',
    remedy: 'Try again after the seconds of `Retry-After`, with the same idempotency key.',
  },
  no_live_gateway: {
    status: 503,
    message: 'no live gateway is set up',
    remedy: 'Use a sandbox key, or ask the operator for a live gateway.',
  },
} as const satisfies Record<string, Entry>

export type ErrorCode = keyof typeof CATALOGUE

/** Faults by field; nested fields are dotted, as in `ccEmails.0`. */
export type Faults = Readonly<Record<string, readonly string[]>>

/** A refusal that the caller is told as it is. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly faults: Faults | undefined

  constructor(code: ErrorCode, options: { message?: string; faults?: Faults } = {}) {
    super(options.message ?? firstFault(options.faults) ?? CATALOGUE[code].message)
    this.name = 'Refusal'
    this.code = code
    this.faults = options.faults
  }

  get status(): number {
    return CATALOGUE[this.code].status
  }
}

function firstFault(faults: Faults | undefined): string | undefined {
  const [field, texts] = Object.entries(faults ?? {})[0] ?? []
  return field === undefined ? undefined : `${field} ${texts?.[0]}`
}
