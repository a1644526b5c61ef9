// What a void, a refund and a capture are asked for with. An amount is an amount or absent: null is
// what JSON makes of a sum that went wrong, and must not mean all.

import { idempotencyId, money, openMoney } from './fields.ts'
import { Type } from './type.ts'

const whole = money('If it is sent, it must be the whole: a void takes no part.')
const part = (what: string) => money(`What is ${what}; absent: all that is left.`)

const previouslyRefunded = openMoney(
  'What you believe was refunded so far, refunds under way included; if it is not, 409.',
)

export const voidBody = Type.Object(
  { total: Type.Optional(whole), idempotency_id: Type.Optional(idempotencyId) },
  { examples: [{}] },
)

export const refundBody = Type.Object(
  {
    total: Type.Optional(part('refunded')),
    previously_refunded: Type.Optional(previouslyRefunded),
    idempotency_id: Type.Optional(idempotencyId),
  },
  { examples: [{ total: 5 }] },
)

export const captureBody = Type.Object(
  { total: Type.Optional(part('captured')), idempotency_id: Type.Optional(idempotencyId) },
  { examples: [{ total: 5 }] },
)
