// Confirmation tokens: the data that Stripe.js collects in a page, for one payment within twelve
// hours.

import type Stripe from 'stripe'
import { newId, type StripeAccount } from './account.ts'
import { choiceOf, requiredText, textOf } from './fields.ts'
import type { StripeForm } from './form.ts'
import { detailsOf } from './payment-methods.ts'
import { noSuch, refused } from './refusals.ts'
import type { StripeCall, StripeRoute } from './routes.ts'
import { type MethodTraits, traitsOfToken } from './test-methods.ts'

const TOKENS_LAST_SECONDS = 12 * 60 * 60

export const CONFIRMATION_TOKEN_ROUTES: readonly StripeRoute[] = [
  {
    method: 'POST',
    path: '/v1/test_helpers/confirmation_tokens',
    fields: ['payment_method', 'return_url', 'setup_future_usage'],
    run: create,
  },
  { method: 'GET', path: '/v1/confirmation_tokens/:id', fields: [], run: read },
]

interface FoundToken {
  readonly token: Stripe.ConfirmationToken
  readonly traits: MethodTraits
}

/** Binds a token to the payment that it confirms. */
export function tokenFor(account: StripeAccount, id: string, intentId: string): FoundToken {
  const token = tokenOf(account, id, 'confirmation_token')
  const traits = account.traits.get(id)
  const isOver = (token.expires_at ?? 0) <= account.clock.seconds()
  const isTaken = token.payment_intent !== null && token.payment_intent !== intentId
  if (traits === undefined || isOver || isTaken) {
    const message = `The ConfirmationToken ${id} was used before or has expired.`
    throw refused(message, {
      code: 'payment_intent_confirmation_token_invalid',
      param: 'confirmation_token',
    })
  }
  token.payment_intent = intentId
  return { token, traits }
}

function create({ account, form }: StripeCall): Stripe.ConfirmationToken {
  const method = requiredText(form, 'payment_method')
  const traits = traitsOfToken(method)
  if (traits === undefined) throw noSuch('PaymentMethod', method, 'payment_method')
  return makeConfirmationToken(account, traits, form)
}

export function makeConfirmationToken(
  account: StripeAccount,
  traits: MethodTraits,
  form: StripeForm,
): Stripe.ConfirmationToken {
  const created = account.clock.seconds()
  const token: Stripe.ConfirmationToken = {
    id: newId('ctoken'),
    object: 'confirmation_token',
    created,
    expires_at: created + TOKENS_LAST_SECONDS,
    livemode: false,
    mandate_data: null,
    metadata: null,
    payment_intent: null,
    payment_method_options: null,
    payment_method_preview: {
      billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
      customer: null,
      customer_account: null,
      ...detailsOf(traits),
    },
    return_url: textOf(form, 'return_url') ?? null,
    setup_future_usage: choiceOf(form, 'setup_future_usage', ['off_session', 'on_session']) ?? null,
    setup_intent: null,
    shipping: null,
    use_stripe_sdk: true,
  }
  account.confirmationTokens.set(token.id, token)
  account.traits.set(token.id, traits)
  return token
}

function read({ account, id }: StripeCall): Stripe.ConfirmationToken {
  return tokenOf(account, id)
}

function tokenOf(account: StripeAccount, id: string, param?: string): Stripe.ConfirmationToken {
  const token = account.confirmationTokens.get(id)
  if (token === undefined) throw noSuch('confirmation_token', id, param)
  return token
}
