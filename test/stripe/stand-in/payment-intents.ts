// /v1/payment_intents

import type Stripe from 'stripe'
import type { StripeAccount } from './account.ts'
import { CONFIRMATION_FIELDS, confirmIntent, refuseConfirmation, refuseState } from './confirm.ts'
import { abandonDebit } from './debits.ts'
import { amountOf, choiceOf, flagOf, metadataOf, textOf } from './fields.ts'
import { captureHold, releaseHold } from './holds.ts'
import { draftIntent, intentOf, takeMethod, unexpectedState } from './intents.ts'
import { listPage } from './lists.ts'
import { invalid } from './refusals.ts'
import { PAGE_FIELDS, type StripeCall, type StripeRoute } from './routes.ts'
import { searchIntents } from './search.ts'

const CREATE_FIELDS = [
  ...CONFIRMATION_FIELDS,
  'allowed_payment_method_types',
  'amount',
  'automatic_payment_methods',
  'capture_method',
  'confirm',
  'currency',
  'customer',
  'description',
  'metadata',
  'receipt_email',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'transfer_group',
] as const satisfies (keyof Stripe.PaymentIntentCreateParams)[]

const CAPTURE_FIELDS = [
  'amount_to_capture',
  'metadata',
  'statement_descriptor',
  'statement_descriptor_suffix',
] as const satisfies (keyof Stripe.PaymentIntentCaptureParams)[]

const REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const

const PATH = '/v1/payment_intents'

export const PAYMENT_INTENT_ROUTES: readonly StripeRoute[] = [
  { method: 'POST', path: PATH, fields: CREATE_FIELDS, run: create },
  { method: 'GET', path: PATH, fields: ['customer', 'created', ...PAGE_FIELDS], run: list },
  { method: 'GET', path: `${PATH}/search`, fields: ['query', 'limit', 'page'], run: searchIntents },
  { method: 'GET', path: `${PATH}/:id`, fields: ['client_secret'], run: read },
  { method: 'POST', path: `${PATH}/:id`, fields: ['description', 'metadata'], run: update },
  { method: 'POST', path: `${PATH}/:id/confirm`, fields: CONFIRMATION_FIELDS, run: confirm },
  { method: 'POST', path: `${PATH}/:id/capture`, fields: CAPTURE_FIELDS, run: capture },
  { method: 'POST', path: `${PATH}/:id/cancel`, fields: ['cancellation_reason'], run: cancel },
]

function create({ account, form }: StripeCall): Stripe.PaymentIntent {
  const intent = draftIntent(account, form)
  const isConfirmed = flagOf(form, 'confirm')
  if (isConfirmed) refuseConfirmation(intent, form)
  else if ('off_session' in form) {
    throw invalid('off_session can only be used with confirm=true.', { param: 'off_session' })
  }
  takeMethod(account, intent, form)
  keep(account, intent)
  if (isConfirmed) confirmIntent(account, intent, form)
  return intent
}

function keep(account: StripeAccount, intent: Stripe.PaymentIntent): void {
  account.paymentIntents.set(intent.id, intent)
  const key = account.request?.idempotency_key
  if (key) account.keyOf.set(intent.id, key)
  account.emit('payment_intent.created', intent)
}

function list({ account, form }: StripeCall) {
  const customer = textOf(form, 'customer')
  const intents = [...account.paymentIntents.values()].filter(
    (one) => customer === undefined || one.customer === customer,
  )
  return listPage(PATH, form, intents)
}

function read({ account, id }: StripeCall): Stripe.PaymentIntent {
  return intentOf(account, id)
}

function update({ account, form, id }: StripeCall): Stripe.PaymentIntent {
  const intent = intentOf(account, id)
  intent.metadata = metadataOf(form, intent.metadata)
  if (form.description !== undefined) intent.description = textOf(form, 'description') ?? null
  return intent
}

function confirm({ account, form, id }: StripeCall): Stripe.PaymentIntent {
  const intent = intentOf(account, id)
  refuseConfirmation(intent, form)
  refuseState(intent)
  intent.setup_future_usage =
    choiceOf(form, 'setup_future_usage', ['off_session', 'on_session']) ?? intent.setup_future_usage
  takeMethod(account, intent, form)
  confirmIntent(account, intent, form)
  return intent
}

function capture({ account, form, id }: StripeCall): Stripe.PaymentIntent {
  const intent = intentOf(account, id)
  const amount = amountOf(form, 'amount_to_capture')
  const metadata = metadataOf(form, intent.metadata)
  if (intent.status !== 'requires_capture') throw unexpectedState(intent, 'captured')
  captureHold(account, intent, amount ?? intent.amount_capturable)
  intent.metadata = metadata
  const key = account.request?.idempotency_key
  if (key) account.keyOf.set(`${id}:capture`, key)
  return intent
}

function cancel({ account, form, id }: StripeCall): Stripe.PaymentIntent {
  const intent = intentOf(account, id)
  const reason = choiceOf(form, 'cancellation_reason', REASONS) ?? null
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw unexpectedState(intent, 'canceled')
  }
  if (intent.status === 'processing') abandonDebit(account, intent)
  if (intent.status === 'requires_capture') releaseHold(intent)
  intent.status = 'canceled'
  intent.canceled_at = account.clock.seconds()
  intent.cancellation_reason = reason
  intent.next_action = null
  const key = account.request?.idempotency_key
  if (key) account.keyOf.set(`${id}:cancel`, key)
  account.emit('payment_intent.canceled', intent)
  return intent
}
