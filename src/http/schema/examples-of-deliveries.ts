// What leaves the service, as the document shows it: the receipt of the example of a charge, and an
// endpoint that was told of the example of an event.

import { exampleCustomer, exampleEvent, exampleTransaction } from './examples.ts'

const ID = '01941f29-7c00-7000-8000-'
const TAKEN_AT = '2026-03-06T15:04:06.012Z'

export const exampleDelivery = {
  id: `${ID}00000000000c`,
  channel: 'email',
  subject: 'transaction',
  subject_id: exampleTransaction.id,
  recipient: exampleCustomer.email,
  status: 'sent',
  attempts: 1,
  next_attempt_at: null,
  provider_id: '250 2.0.0 OK 4711',
  last_error: null,
  reason: null,
  history: [{ at: '2026-03-06T15:04:05.800Z', ms: 212, answer: 'taken' }],
  created_at: exampleTransaction.created_at,
  updated_at: TAKEN_AT,
  sent_at: TAKEN_AT,
  delivered_at: null,
}

export const exampleWebhook = {
  id: `${ID}00000000000d`,
  target_url: 'https://shop.example.com/events',
  event: ['create_transaction', 'update_transaction'],
  status: 'active',
  disabled_reason: null,
  replaying: false,
  created_at: '2026-03-06T15:00:00.000Z',
  updated_at: '2026-03-06T15:00:00.000Z',
}

export const exampleWebhookDelivery = {
  ...exampleDelivery,
  id: `${ID}00000000000e`,
  channel: 'webhook',
  subject: 'event',
  subject_id: exampleEvent.id,
  recipient: exampleWebhook.id,
  provider_id: null,
  history: [{ at: '2026-03-06T15:04:05.800Z', ms: 212, answer: 'taken', detail: '200 OK' }],
  event_id: exampleEvent.id,
  event: exampleEvent.type,
}
