// /v1/payment_methods: made from test tokens, attached to customers, detached for good.

import type Stripe from 'stripe'
import { newId, type StripeAccount } from './account.ts'
import { customerOf } from './customers.ts'
import { choiceOf, requiredText, textOf } from './fields.ts'
import { listPage } from './lists.ts'
import { invalid, noSuch, refused, StripeRefusal } from './refusals.ts'
import { PAGE_FIELDS, type StripeCall, type StripeRoute } from './routes.ts'
import { type MethodTraits, traitsOfToken } from './test-methods.ts'

const ADDRESS: Stripe.PaymentMethod.BillingDetails = {
  address: null,
  email: null,
  name: null,
  phone: null,
  tax_id: null,
}

export const PAYMENT_METHOD_ROUTES: readonly StripeRoute[] = [
  {
    method: 'GET',
    path: '/v1/payment_methods',
    fields: ['customer', 'type', ...PAGE_FIELDS],
    run: ({ account, form }) => listOf(account, form, textOf(form, 'customer')),
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    fields: ['type', ...PAGE_FIELDS],
    run: ({ account, form, id }) => listOf(account, form, customerOf(account, id).id),
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:id',
    fields: [],
    run: ({ account, id }) => existing(account, id),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    fields: ['customer'] satisfies (keyof Stripe.PaymentMethodAttachParams)[],
    run: attach,
  },
  { method: 'POST', path: '/v1/payment_methods/:id/detach', fields: [], run: detach },
]

/** A test token makes a new payment method each time. */
export function paymentMethodOf(
  account: StripeAccount,
  id: string,
  param?: string,
): Stripe.PaymentMethod {
  const traits = traitsOfToken(id)
  return traits === undefined ? existing(account, id, param) : makePaymentMethod(account, traits)
}

export function makePaymentMethod(
  account: StripeAccount,
  traits: MethodTraits,
): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: ADDRESS,
    created: account.clock.seconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    ...detailsOf(traits),
  }
  account.paymentMethods.set(method.id, method)
  account.traits.set(method.id, traits)
  return method
}

export function detailsOf(
  traits: MethodTraits,
): Pick<Stripe.PaymentMethod, 'card' | 'type' | 'us_bank_account'> {
  if (traits.kind === 'bank') {
    const us_bank_account: Stripe.PaymentMethod.UsBankAccount = {
      account_holder_type: 'individual',
      account_type: 'checking',
      bank_name: 'STRIPE TEST BANK',
      financial_connections_account: null,
      fingerprint: `bank${traits.lastFour}`,
      last4: traits.lastFour,
      networks: null,
      routing_number: '110000000',
      status_details: null,
    }
    return { type: 'us_bank_account', us_bank_account }
  }
  const card: Stripe.PaymentMethod.Card = {
    brand: traits.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    display_brand: traits.brand,
    exp_month: 12,
    exp_year: 2034,
    fingerprint: `card${traits.lastFour}`,
    funding: 'credit',
    generated_from: null,
    last4: traits.lastFour,
    networks: { available: [traits.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  }
  return { type: 'card', card }
}

export function attachTo(
  account: StripeAccount,
  method: Stripe.PaymentMethod,
  customerId: string,
): void {
  method.customer = customerId
  account.emit('payment_method.attached', method)
}

function attach({ account, form, id }: StripeCall): Stripe.PaymentMethod {
  const customer = customerOf(account, requiredText(form, 'customer'), 'customer')
  const method = paymentMethodOf(account, id)
  const traits = account.traits.get(method.id)
  if (traits === undefined) {
    throw refused('This PaymentMethod was detached from a Customer. It may not be used again.')
  }
  if (method.customer !== null && method.customer !== customer.id) {
    throw refused('The payment method you provided has already been attached to a customer.')
  }
  if (traits.kind === 'card' && !traits.isAttachable) {
    const { message = '', ...decline } = traits.decline ?? {}
    throw new StripeRefusal(402, { type: 'card_error', message, ...decline }, true)
  }
  attachTo(account, method, customer.id)
  return method
}

/** A detached payment method can still be read, and never be used again. */
function detach({ account, id }: StripeCall): Stripe.PaymentMethod {
  const method = existing(account, id)
  if (method.customer === null) {
    throw refused('The payment method is not attached to a customer.')
  }
  method.customer = null
  account.traits.delete(id)
  account.emit('payment_method.detached', method)
  return method
}

function listOf(account: StripeAccount, form: StripeCall['form'], customer: string | undefined) {
  const type = choiceOf(form, 'type', ['card', 'us_bank_account'])
  const methods = [...account.paymentMethods.values()].filter(
    (one) =>
      customer !== undefined &&
      one.customer === customer &&
      (type === undefined || one.type === type),
  )
  return listPage('/v1/payment_methods', form, methods)
}

function existing(account: StripeAccount, id: string, param?: string): Stripe.PaymentMethod {
  const method = account.paymentMethods.get(id)
  if (method === undefined) {
    if (/\d{12}/.test(id)) throw invalid('Sending card numbers to the API is generally unsafe.')
    throw noSuch('PaymentMethod', id, param)
  }
  return method
}
