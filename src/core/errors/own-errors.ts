// Errors on our side.

import type { ErrorEntry } from './entry.ts'

export const OWN_ERRORS = {
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
  overloaded: {
    status: 503,
    message: 'the service has more to do than it can answer in time: nothing was begun',
    remedy:
      'Try again after the seconds of `Retry-After`, with the same idempotency key. Keys that send the most are refused first.',
  },
  no_live_gateway: {
    status: 503,
    message: 'no live gateway is set up',
    remedy: 'Use a sandbox key, or ask the operator for a live gateway.',
  },
} as const satisfies Record<string, ErrorEntry>
