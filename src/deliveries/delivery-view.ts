// A delivery as statements read it, and as the API shows it to the merchant that sends the message.

import { DELIVERY_CHANNELS, PARKED_DELIVERY_REASONS } from '../core/delivery.ts'
import { columnsOf } from '../db/columns.ts'
import type { Delivery } from '../generated/client.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { answerField } from '../resource/schemas.ts'

export const DELIVERY_STATUSES = ['pending', 'sent', 'delivered', 'parked'] as const

const ANSWERS = [
  'taken',
  'refused',
  'failed',
  'silent',
  'throttled',
  'away',
  'delivered',
  'undelivered',
] as const

const attempt = Type.Object({
  at: { ...answerField.time, description: 'When it began.' },
  ms: Type.Optional(Type.Integer({ description: 'How long it took.' })),
  answer: Type.Optional(Type.Enum(ANSWERS, { description: 'The result of the attempt.' })),
  detail: Type.Optional(Type.String({ description: 'For people.' })),
  by: Type.Optional(
    Type.Enum(['operator'], { description: 'Instead of a result: the operator retried it.' }),
  ),
})

export const DELIVERY = declareFields<Delivery>()({
  id: { shown: answerField.id },
  channel: { shown: Type.Enum(DELIVERY_CHANNELS) },
  subject: {
    shown: Type.Enum(['transaction', 'invoice', 'webhook', 'event'], {
      description: 'The resource that the message is about.',
    }),
  },
  subject_id: { shown: answerField.id },
  recipient: {
    shown: Type.String({
      description: "An e-mail address, a phone number in E.164, or an endpoint's id.",
    }),
  },
  status: {
    shown: Type.Enum(DELIVERY_STATUSES, {
      description:
        'pending: not sent yet; sent: the provider accepted it; delivered: the provider reported its arrival; parked: it failed for good.',
    }),
  },
  attempts: {
    shown: Type.Integer({
      description: 'Counted tries. While a provider is unavailable, none is counted.',
    }),
    from: ({ tries }) => tries,
  },
  next_attempt_at: { shown: answerField.timeOrNull, from: ({ dueAt }) => dueAt },
  provider_id: {
    shown: { ...answerField.textOrNull, description: 'The id that the provider gave it.' },
  },
  last_error: { shown: answerField.textOrNull },
  reason: {
    shown: Type.Unsafe<(typeof PARKED_DELIVERY_REASONS)[number] | null>({
      type: ['string', 'null'],
      enum: [...PARKED_DELIVERY_REASONS, null],
      description:
        'Why it is parked. suppressed: the address does not exist, as an earlier delivery showed, so the provider was not asked. sandbox_limit: the sandbox account had sent as many messages as it may within a day.',
    }),
  },
  // A column of JSON, whose type the database does not know.
  history: {
    shown: Type.Unsafe<unknown>(
      Type.Array(attempt, { description: 'Its attempts, the oldest first.' }),
    ),
  },
  created_at: { shown: answerField.time },
  updated_at: { shown: answerField.time },
  sent_at: { shown: answerField.timeOrNull },
  delivered_at: { shown: answerField.timeOrNull },
})

/** The columns for statements that call the table `d`. */
export const deliveryColumns = columnsOf<Delivery>('Delivery', 'd')

export type DeliveryView = ReturnType<typeof DELIVERY.view>

export const deliveryView = (row: Delivery) => DELIVERY.view(row)
