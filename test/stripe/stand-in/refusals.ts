// The errors with which Stripe's API refuses a request, in the form of its answers.

import type Stripe from 'stripe'

/** Our answers always have `message`; the SDK's own additions are left out. */
export type StripeErrorBody = Partial<Omit<Stripe.StripeRawError, 'headers' | 'type'>> & {
  readonly message: string
  /** Instead of a code, where Stripe has none. */
  readonly message_code?: string
  readonly type: NonNullable<Stripe.StripeRawError['type']>
}

export class StripeRefusal extends Error {
  readonly status: number
  readonly body: StripeErrorBody
  /** Whether the idempotency layer keeps this answer, because execution had begun. */
  readonly isKept: boolean

  constructor(status: number, body: StripeErrorBody, isKept: boolean) {
    super(body.message)
    this.status = status
    this.body = body
    this.isKept = isKept
  }
}

type Details = Omit<Partial<StripeErrorBody>, 'message' | 'type'>

/** A parameter is wrong, so that nothing was executed. */
export function invalid(message: string, details: Details = {}): StripeRefusal {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, ...details }, false)
}

export function missing(param: string): StripeRefusal {
  return invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

/** The parameters are right, but the state of the objects does not allow it. */
export function refused(message: string, details: Details = {}): StripeRefusal {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, ...details }, true)
}

/** Stripe answers 404 if the address names the object, and 400 if a parameter does. */
export function noSuch(what: string, id: string, param?: string): StripeRefusal {
  const body: StripeErrorBody = {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param: param ?? 'id',
  }
  return new StripeRefusal(param === undefined ? 404 : 400, body, false)
}

export function declined(
  error: Stripe.PaymentIntent.LastPaymentError,
  payment_intent: Stripe.PaymentIntent,
): StripeRefusal {
  const { message = 'Your card was declined.', ...details } = error
  return new StripeRefusal(402, { ...details, type: 'card_error', message, payment_intent }, true)
}

export function unauthorized(key: string | undefined): StripeRefusal {
  const message =
    key === undefined
      ? 'You did not provide an API key.'
      : `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}`
  return new StripeRefusal(401, { type: 'invalid_request_error', message }, false)
}

export function noAccessTo(accountId: string): StripeRefusal {
  const message = `The provided key does not have access to account '${accountId}'.`
  const body = { type: 'invalid_request_error', code: 'account_invalid', message } as const
  return new StripeRefusal(403, body, false)
}

export function serverError(isKept: boolean): StripeRefusal {
  const message = 'Sorry, there was an error on our end. Please try again later.'
  return new StripeRefusal(500, { type: 'api_error', message }, isKept)
}

export function rateLimited(): StripeRefusal {
  const message = 'Request rate limit exceeded. Learn more about rate limits in our documentation.'
  const body = { type: 'invalid_request_error', code: 'rate_limit', message } as const
  return new StripeRefusal(429, body, false)
}

export function lockTimeout(status: 409 | 429): StripeRefusal {
  const message =
    'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.'
  const body = { type: 'invalid_request_error', code: 'lock_timeout', message } as const
  return new StripeRefusal(status, body, false)
}

export function keyInUse(key: string): StripeRefusal {
  const message = `There is another in-progress request using this Idempotent Key: ${key}.`
  const body = { type: 'idempotency_error', code: 'idempotency_key_in_use', message } as const
  return new StripeRefusal(409, body, false)
}

export function keyReused(key: string, difference: 'parameters' | 'endpoint'): StripeRefusal {
  const rule = `Keys can only be used with the same ${difference} they were first used with`
  const message = `${rule}. Try using a key other than '${key}'.`
  return new StripeRefusal(400, { type: 'idempotency_error', message }, false)
}
