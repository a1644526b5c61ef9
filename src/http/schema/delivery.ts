import { PARKED_DELIVERY_REASONS } from '../../core/delivery.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField } from '../../resource/schemas.ts'

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

const entry = Type.Object({
  at: { ...answerField.time, description: 'When it began.' },
  ms: Type.Integer({ description: 'How long it took.' }),
  answer: Type.Enum(ANSWERS, { description: 'The result of the attempt.' }),
  detail: Type.Optional(Type.String({ description: 'For people.' })),
})

export const deliveryFields = {
  id: answerField.id,
  channel: Type.Enum(['email', 'sms', 'webhook']),
  subject: Type.Enum(['transaction', 'invoice', 'webhook', 'event'], {
    description: 'The resource that the message is about.',
  }),
  subject_id: answerField.id,
  recipient: Type.String({
    description: "An e-mail address, a phone number in E.164, or an endpoint's id.",
  }),
  status: Type.Enum(DELIVERY_STATUSES, {
    description:
      'pending: not sent yet; sent: the provider accepted it; delivered: the provider reported its arrival; parked: it failed for good.',
  }),
  attempts: Type.Integer({
    description: 'Counted tries. While a provider is unavailable, none is counted.',
  }),
  next_attempt_at: answerField.timeOrNull,
  provider_id: { ...answerField.textOrNull, description: 'The id that the provider gave it.' },
  last_error: answerField.textOrNull,
  reason: Type.Unsafe<(typeof PARKED_DELIVERY_REASONS)[number] | null>({
    type: ['string', 'null'],
    enum: [...PARKED_DELIVERY_REASONS, null],
    description:
      'Why it is parked. suppressed: the address does not exist, as an earlier delivery showed, so the provider was not asked. sandbox_limit: the sandbox account had sent as many messages as it may within a day.',
  }),
  // A column of JSON, whose type the database does not know.
  history: Type.Unsafe<unknown>(
    Type.Array(entry, { description: 'Its attempts, the oldest first.' }),
  ),
  created_at: answerField.time,
  updated_at: answerField.time,
  sent_at: answerField.timeOrNull,
  delivered_at: answerField.timeOrNull,
}

export const delivery = Type.Object(deliveryFields, {
  $id: 'Delivery',
  additionalProperties: false,
  description: 'Its times are real time, even if the account has a clock of its own.',
})
