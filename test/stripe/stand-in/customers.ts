// /v1/customers

import type Stripe from 'stripe'
import { newId, type StripeAccount } from './account.ts'
import { metadataOf, textOf } from './fields.ts'
import { listPage } from './lists.ts'
import { noSuch } from './refusals.ts'
import { PAGE_FIELDS, type StripeCall, type StripeRoute } from './routes.ts'

const FIELDS = [
  'description',
  'email',
  'metadata',
  'name',
  'phone',
] as const satisfies (keyof Stripe.CustomerCreateParams)[]

export const CUSTOMER_ROUTES: readonly StripeRoute[] = [
  { method: 'POST', path: '/v1/customers', fields: FIELDS, run: create },
  { method: 'GET', path: '/v1/customers', fields: ['email', 'created', ...PAGE_FIELDS], run: list },
  { method: 'GET', path: '/v1/customers/:id', fields: [], run: read },
  { method: 'POST', path: '/v1/customers/:id', fields: FIELDS, run: update },
  { method: 'DELETE', path: '/v1/customers/:id', fields: [], run: remove },
]

/** A deleted customer is not found. */
export function customerOf(account: StripeAccount, id: string, param?: string): Stripe.Customer {
  const customer = account.customers.get(id)
  if (customer === undefined || customer.deleted) throw noSuch('customer', id, param)
  return customer
}

function create({ account, form }: StripeCall): Stripe.Customer {
  const customer: Stripe.Customer = {
    id: newId('cus'),
    object: 'customer',
    balance: 0,
    created: account.clock.seconds(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: textOf(form, 'description') ?? null,
    discount: null,
    email: textOf(form, 'email') ?? null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: metadataOf(form),
    name: textOf(form, 'name') ?? null,
    phone: textOf(form, 'phone') ?? null,
    shipping: null,
  }
  account.customers.set(customer.id, customer)
  account.emit('customer.created', customer)
  return customer
}

function list({ account, form }: StripeCall) {
  const email = textOf(form, 'email')
  const customers = [...account.customers.values()].filter(
    (one): one is Stripe.Customer => !one.deleted && (email === undefined || one.email === email),
  )
  return listPage('/v1/customers', form, customers)
}

function read({ account, id }: StripeCall): Stripe.Customer | Stripe.DeletedCustomer {
  const customer = account.customers.get(id)
  if (customer === undefined) throw noSuch('customer', id)
  return customer
}

function update({ account, form, id }: StripeCall): Stripe.Customer {
  const customer = customerOf(account, id)
  for (const name of ['description', 'email', 'name', 'phone'] as const) {
    if (form[name] !== undefined) customer[name] = textOf(form, name) ?? null
  }
  customer.metadata = metadataOf(form, customer.metadata)
  account.emit('customer.updated', customer)
  return customer
}

function remove({ account, id }: StripeCall): Stripe.DeletedCustomer {
  const customer = customerOf(account, id)
  const deleted: Stripe.DeletedCustomer = { id, object: 'customer', deleted: true }
  account.customers.set(id, deleted)
  account.emit('customer.deleted', customer)
  return deleted
}
