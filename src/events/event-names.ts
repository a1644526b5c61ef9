// What may happen, by the names under which merchants are told of it.

export const EVENT_NAMES = [
  'create_transaction',
  'update_transaction',
  'update_transaction_settled',
  'create_invoice',
  'update_invoice',
  'create_scheduled_invoice',
  'update_scheduled_invoice',
  'delete_scheduled_invoice',
  'create_customer',
  'update_customer',
  'delete_customer',
  'create_payment_method',
  'update_payment_method',
  'delete_payment_method',
  'create_payment_link',
  'update_payment_link',
  'delete_payment_link',
  'create_batch',
  'create_deposit',
  'webhook_disabled',
] as const

/** What an endpoint is sent to see whether it works: nobody asks to be told of it. */
export const WEBHOOK_TEST = 'webhook_test'

export type EventName = (typeof EVENT_NAMES)[number]

export type EventType = EventName | typeof WEBHOOK_TEST
