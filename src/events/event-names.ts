// The names of all events.

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
  'deposit_failed',
  'create_dispute',
  'update_dispute',
  'create_reversal',
  'webhook_disabled',
] as const

/** The test event of an endpoint; no endpoint can subscribe to it. */
export const WEBHOOK_TEST = 'webhook_test'

type EventName = (typeof EVENT_NAMES)[number]

export type EventType = EventName | typeof WEBHOOK_TEST

const ALL_EVENTS = '*'

/** An endpoint subscribes to all events, or to some by their names. */
export const EVENT_CHOICES = [ALL_EVENTS, ...EVENT_NAMES] as const

export type EventChoice = (typeof EVENT_CHOICES)[number]

/** Faults of the list as a whole; the schema reports faults of single names. */
export function eventChoiceFault(chosen: unknown): string | undefined {
  const names: readonly unknown[] = EVENT_CHOICES
  if (typeof chosen === 'string' && !names.includes(chosen)) {
    return `must be one of ${names.join(', ')}`
  }
  const isMixed = eventsOf([chosen].flat()).length > 1 && [chosen].flat().includes(ALL_EVENTS)
  return isMixed ? `must be ${ALL_EVENTS} alone, or names without it` : undefined
}

/** Each event once. */
export function eventsOf<T>(chosen: T | readonly T[]): readonly T[] {
  return [...new Set([chosen].flat() as T[])]
}
