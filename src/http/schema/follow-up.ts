// The bodies of voids, refunds and captures. They refuse unknown fields: an ignored amount would
// move the whole sum.

import { Type } from '../../resource/json-schema.ts'
import { idempotencyId, money, openAmount } from '../../resource/schemas.ts'

const amounts = (description: string) => ({
  amount: Type.Optional(money(description)),
  total: Type.Optional(money('The same as amount.')),
})

const taking = (what: string) => amounts(`The ${what} amount; absent: all that is left.`)

const previouslyRefunded = openAmount(
  'The amount refunded so far as you know it, refunds under way included. If it differs, the answer is 409.',
)

export const voidBody = Type.Object(
  {
    ...amounts('If it is sent, it must be the whole amount.'),
    idempotency_id: idempotencyId,
  },
  { additionalProperties: false, examples: [{}] },
)

export const refundBody = Type.Object(
  {
    ...taking('refunded'),
    previously_refunded: Type.Optional(previouslyRefunded),
    idempotency_id: idempotencyId,
  },
  { additionalProperties: false, examples: [{ amount: 5 }] },
)

export const captureBody = Type.Object(
  { ...taking('captured'), idempotency_id: idempotencyId },
  { additionalProperties: false, examples: [{ amount: 5 }] },
)
