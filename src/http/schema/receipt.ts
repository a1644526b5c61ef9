// The schemas of requests for a receipt, and of a delivery in answers.

import { DELIVERY } from '../../deliveries/delivery-view.ts'
import { Type } from '../../resource/json-schema.ts'
import { email, idempotencyId, phone } from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'

export const MOST_COPIES = 10

const COPIES = "Recipients of copies of this receipt, in addition to the customer's own."
const SAME = `The same as the first spelling. All lists are used, together at most ${MOST_COPIES}.`

const emails = (description: string) =>
  Type.Optional(Type.Array(email, { maxItems: MOST_COPIES, description }))

export const emailReceiptBody = Type.Object(
  {
    ccEmails: emails(COPIES),
    cc_emails: emails(SAME),
    idempotency_id: idempotencyId,
  },
  { examples: [{ ccEmails: ['books@example.com'] }] },
)

const numbers = (description: string) =>
  Type.Optional(Type.Array(phone, { maxItems: MOST_COPIES, description }))

export const smsReceiptBody = Type.Object(
  {
    ccSms: numbers(COPIES),
    ccSMS: numbers(SAME),
    cc_sms: numbers(SAME),
    idempotency_id: idempotencyId,
  },
  { examples: [{ ccSms: ['+12025550123'] }] },
)

export const delivery = resourceSchema(
  'Delivery',
  DELIVERY.answer,
  'Its times are real time, even if the account has a clock of its own.',
)
