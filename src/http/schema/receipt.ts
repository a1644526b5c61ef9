import { Type } from '../../resource/json-schema.ts'
import { email, idempotencyId, phone } from '../../resource/schemas.ts'

export const MOST_COPIES = 10

export const emailReceiptBody = Type.Object(
  {
    ccEmails: Type.Optional(
      Type.Array(email, {
        maxItems: MOST_COPIES,
        description: "Recipients of copies of this receipt, in addition to the customer's own.",
      }),
    ),
    idempotency_id: Type.Optional(idempotencyId),
  },
  { examples: [{ ccEmails: ['books@example.com'] }] },
)

const copies = (description: string) =>
  Type.Optional(Type.Array(phone, { maxItems: MOST_COPIES, description }))

export const smsReceiptBody = Type.Object(
  {
    ccSms: copies("Recipients of copies of this receipt, in addition to the customer's own."),
    ccSMS: copies('Another spelling of the same field; both lists are used, together at most ten.'),
    idempotency_id: Type.Optional(idempotencyId),
  },
  { examples: [{ ccSms: ['+12025550123'] }] },
)
