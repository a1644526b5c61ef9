// /v1/events, and the form of an event: a copy of the object in the account's own API version.

import type Stripe from 'stripe'
import { newId, type StripeAccount } from './account.ts'
import { textOf } from './fields.ts'
import { listPage } from './lists.ts'
import { noSuch } from './refusals.ts'
import { PAGE_FIELDS, type StripeCall, type StripeRoute } from './routes.ts'

export const EVENT_ROUTES: readonly StripeRoute[] = [
  {
    method: 'GET',
    path: '/v1/events',
    fields: ['created', 'type', 'types', ...PAGE_FIELDS],
    run: list,
  },
  { method: 'GET', path: '/v1/events/:id', fields: [], run: read },
]

export function writeEvent(
  account: StripeAccount,
  type: Stripe.Event.Type,
  object: { readonly id: string },
): Stripe.Event {
  const event: Stripe.EventBase = {
    id: newId('evt'),
    object: 'event',
    ...(account.isConnected && { account: account.id }),
    api_version: account.settings.apiVersion,
    created: account.clock.seconds(),
    data: { object: structuredClone(object) as Stripe.Event.Data.Object },
    livemode: false,
    pending_webhooks: 0,
    request: account.request ?? { id: null, idempotency_key: null },
    type,
  }
  account.events.set(event.id, event as Stripe.Event)
  return event as Stripe.Event
}

function list({ account, form }: StripeCall) {
  const type = textOf(form, 'type')
  const types = typeof form.types === 'object' ? Object.values(form.types) : undefined
  const events = [...account.events.values()].filter(
    (one) =>
      (type === undefined || one.type === type) &&
      (types === undefined || types.includes(one.type)),
  )
  return listPage('/v1/events', form, events)
}

function read({ account, id }: StripeCall): Stripe.Event {
  const event = account.events.get(id)
  if (event === undefined) throw noSuch('event', id)
  return event
}
