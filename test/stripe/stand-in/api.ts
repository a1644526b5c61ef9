// Stripe's API without the network: from a request to the reply, through the key, the account and
// the idempotency layer.

import type { StripeAccount } from './account.ts'
import { BALANCE_ROUTES } from './balance.ts'
import { CHARGE_ROUTES } from './charges.ts'
import { CONFIRMATION_TOKEN_ROUTES } from './confirmation-tokens.ts'
import { CUSTOMER_ROUTES } from './customers.ts'
import { DISPUTE_ROUTES } from './disputes.ts'
import { EVENT_ROUTES } from './events.ts'
import { expanded } from './expand.ts'
import { type Delay, delay, type ServerErrorMoment, type StripeRequest } from './faults.ts'
import { fingerprintOf } from './form.ts'
import { executeOnce, type StripeReply } from './idempotency.ts'
import { refuseTooFast } from './pace.ts'
import { PAYMENT_INTENT_ROUTES } from './payment-intents.ts'
import { PAYMENT_METHOD_ROUTES } from './payment-methods.ts'
import { PAYOUT_ROUTES } from './payouts.ts'
import { PLATFORM_ROUTES } from './platform.ts'
import { REFUND_ROUTES } from './refunds.ts'
import { StripeRefusal, serverError } from './refusals.ts'
import { type FoundRoute, findRoute, refuseUnknownFields, type StripeRoute } from './routes.ts'

export interface Execution {
  readonly requestId: string
  /** How long the idempotency key is in use. */
  readonly lasts: Delay
  readonly serverError?: ServerErrorMoment | undefined
}

const ROUTES: readonly StripeRoute[] = [
  ...BALANCE_ROUTES,
  ...CHARGE_ROUTES,
  ...CONFIRMATION_TOKEN_ROUTES,
  ...CUSTOMER_ROUTES,
  ...DISPUTE_ROUTES,
  ...EVENT_ROUTES,
  ...PAYMENT_INTENT_ROUTES,
  ...PAYMENT_METHOD_ROUTES,
  ...PAYOUT_ROUTES,
  ...PLATFORM_ROUTES,
  ...REFUND_ROUTES,
]

export async function answerRequest(
  account: StripeAccount,
  request: StripeRequest,
  execution: Execution,
): Promise<StripeReply> {
  const { method, path, form } = request
  const { requestId } = execution
  try {
    const found = findRoute(ROUTES, method, path)
    refuseTooFast(account, found.route)
    // Stripe keeps no result of requests that change nothing.
    const key = method === 'POST' ? request.idempotencyKey : undefined
    const keyed = { key, endpoint: path, fingerprint: fingerprintOf(form), requestId }
    return await executeOnce(account, keyed, () => execute(account, request, found, execution))
  } catch (error) {
    return refusalReply(error, requestId)
  }
}

export function refusalReply(error: unknown, requestId: string): StripeReply {
  if (!(error instanceof StripeRefusal)) throw error
  const { body, isKept, status } = error
  return { status, body: JSON.stringify({ error: body }, null, 2), requestId, isKept }
}

async function execute(
  account: StripeAccount,
  request: StripeRequest,
  found: FoundRoute,
  { lasts, requestId, serverError: moment }: Execution,
): Promise<StripeReply> {
  await delay(lasts)
  try {
    refuseUnknownFields(found.route, request.form)
    if (moment === 'before') throw serverError(false)
    if (moment === 'instead') throw serverError(true)
    const body = runNow(account, request, found, requestId)
    if (moment === 'after') throw serverError(true)
    return { status: 200, body, requestId, isKept: true }
  } catch (error) {
    return refusalReply(error, requestId)
  }
}

/** Runs without interruption: no other request is executed meanwhile. */
function runNow(
  account: StripeAccount,
  { form, idempotencyKey }: StripeRequest,
  { id, route }: FoundRoute,
  requestId: string,
): string {
  account.request = { id: requestId, idempotency_key: idempotencyKey ?? null }
  try {
    return JSON.stringify(expanded(account, form, route.run({ account, form, id })), null, 2)
  } finally {
    account.request = null
  }
}
