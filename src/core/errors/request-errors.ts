// Errors of the request itself, of its caller, or of the caller's request rate.

import type { ErrorEntry } from './entry.ts'

export const REQUEST_ERRORS = {
  invalid_request: {
    status: 400,
    message: 'the request is invalid',
    remedy: 'Mend the fields that `errors` names and send it again.',
  },
  unknown_field: {
    status: 400,
    message: 'a field of the request is not known here',
    remedy:
      '`errors` names what was probably meant. A void, refund, capture or payment of an invoice passes over no field; elsewhere unknown fields of a body are ignored.',
  },
  partial_payment_not_supported: {
    status: 400,
    message: 'an invoice is paid whole',
    remedy: 'Leave out `apply_balance`, or send the `balance_due` of the invoice.',
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
  rule_too_complex: {
    status: 400,
    message: 'the rule takes too long to work out',
    remedy:
      'Say it more simply: COUNT up to 10,000, up to 1,000 dates, and parts that often go together. Several schedules can share the work.',
  },
  clock_advance_too_large: {
    status: 400,
    message: 'the clock would cause more than 100,000 runs on its way',
    remedy: 'Advance it in smaller steps, or delete or pause schedules that run often before.',
  },
  no_recipient: {
    status: 400,
    message: 'there is nobody to send it to',
    remedy: 'Give the customer an address, or name who is to get a copy.',
  },
  card_data_not_accepted: {
    status: 400,
    message: 'the number of a card or a bank account is not accepted here',
    remedy:
      "Live, let the payer's browser turn it into the gateway's token, and send that; in the sandbox send it in the fields for it. Names, notes, addresses and `meta` hold none.",
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
    message: 'only a sandbox account has a clock of its own',
    remedy: 'Use a sandbox key.',
  },
  invalid_signature: {
    status: 403,
    message: 'the signature is not that of the provider for this address',
    remedy:
      'Set `PUBLIC_URL` to the address that the provider calls, and its token to the one it signs with.',
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
  too_many_exports: {
    status: 429,
    message: 'the account has four exports under way',
    remedy: 'Read one of them to its end, or close its connection, and ask again.',
  },
  rate_limited: {
    status: 429,
    message: 'too many requests',
    remedy: 'Wait for the seconds of `Retry-After`; `RateLimit` tells what is left.',
  },
} as const satisfies Record<string, ErrorEntry>
