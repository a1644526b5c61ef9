import { Type } from '../../resource/json-schema.ts'
import { email, idempotencyId, phone } from '../../resource/schemas.ts'

const MOST_COPIES = 10

export const emailReceiptBody = Type.Object(
  {
    ccEmails: Type.Optional(
      Type.Array(email, {
        maxItems: MOST_COPIES,
        description: "Copies of this receipt, beside the customer's own.",
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
    ccSms: copies("Copies of this receipt, beside the customer's own."),
    ccSMS: copies('The same, as some clients spell it; both count.'),
    idempotency_id: Type.Optional(idempotencyId),
  },
  { examples: [{ ccSms: ['+12025550123'] }] },
)
