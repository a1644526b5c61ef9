// The requests that an endpoint of a merchant receives: one for each event, with the resource as
// its body.

import { capitalized } from '../../core/sentence.ts'
import { EVENT_NAMES, type EventType, WEBHOOK_TEST } from '../../events/event-names.ts'

/** The resource of each event, by the name of its schema. */
const RESOURCES: Readonly<Record<EventType, string>> = {
  create_transaction: 'Transaction',
  update_transaction: 'Transaction',
  update_transaction_settled: 'Transaction',
  create_invoice: 'Invoice',
  update_invoice: 'Invoice',
  create_scheduled_invoice: 'ScheduledInvoice',
  update_scheduled_invoice: 'ScheduledInvoice',
  delete_scheduled_invoice: 'ScheduledInvoice',
  create_customer: 'Customer',
  update_customer: 'Customer',
  delete_customer: 'Customer',
  create_payment_method: 'PaymentMethod',
  update_payment_method: 'PaymentMethod',
  delete_payment_method: 'PaymentMethod',
  create_payment_link: 'PaymentLink',
  update_payment_link: 'PaymentLink',
  delete_payment_link: 'PaymentLink',
  create_batch: 'Batch',
  create_deposit: 'Batch',
  deposit_failed: 'Batch',
  create_dispute: 'Dispute',
  update_dispute: 'Dispute',
  create_reversal: 'Reversal',
  webhook_disabled: 'Webhook',
  [WEBHOOK_TEST]: 'Webhook',
}

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'The id of the event: the same at every attempt and in every replay.',
  'webhook-timestamp': 'When this attempt was made: real time, in seconds.',
  'webhook-signature':
    '`v1,` and the base64 of HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under your ' +
    'secret; while you roll a secret, two of them with a space between.',
  'event-name': 'The name of the event.',
  'event-sequence': 'Rises with every change of this resource, from 1; numbers may be skipped.',
  'event-created-at': 'When it happened, in the account’s own time.',
}

export function webhookOperations(): Readonly<Record<string, object>> {
  const names: readonly EventType[] = [...EVENT_NAMES, WEBHOOK_TEST]
  return Object.fromEntries(names.map((name) => [name, { post: operationOf(name) }]))
}

function operationOf(name: EventType): object {
  return {
    operationId: `on${name.split('_').map(capitalized).join('')}`,
    summary: `The event ${name}`,
    description:
      'Sent to your endpoint until it answers 2xx. The body is the resource as its GET answered ' +
      'it at that moment. Verify the signature over the bytes as you received them.',
    tags: ['Webhooks'],
    security: [],
    parameters: Object.entries(HEADERS).map(([header, description]) => ({
      in: 'header',
      name: header,
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${RESOURCES[name]}` } },
      },
    },
    responses: {
      '2XX': { description: 'You have the event. Store it before you answer.' },
      default: { description: 'It is sent again later.' },
    },
  }
}
