// Transactions that a merchant records by hand: cash and checks, which no gateway sees.

import { Type } from '../../resource/json-schema.ts'
import { id, idempotencyId, meta, money, note, text } from '../../resource/schemas.ts'

const kept = {
  source: Type.Optional(text('Where the money came from, in your words.')),
  meta: Type.Optional(meta),
  message: Type.Optional(note('A note on it.')),
}

export const newTransaction = Type.Object(
  {
    total: money('What was paid.'),
    type: Type.Enum(['charge', 'refund', 'credit']),
    method: Type.Enum(['cash', 'check']),
    customer_id: id('Who paid it, or was paid.'),
    ...kept,
    idempotency_id: Type.Optional(idempotencyId),
  },
  {
    examples: [
      {
        total: 12.5,
        type: 'charge',
        method: 'cash',
        customer_id: '01941f29-7c00-7000-8000-000000000001',
      },
    ],
  },
)

export const changedTransaction = Type.Object(
  {
    total: Type.Optional(money('What was paid.')),
    customer_id: Type.Optional(id('Who paid it, or was paid.')),
    ...kept,
  },
  { examples: [{ message: 'paid at the counter' }] },
)
