// The schemas of payment methods: what creates and changes one, and the answer.

import { CANNOT_CHANGE, PAYMENT_METHOD } from '../../customers/payment-method.ts'
import { ADDRESS_NAMES } from '../../resource/column-kinds.ts'
import { Type } from '../../resource/json-schema.ts'
import { fixed, flag, id, idempotencyId, text } from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'
import { removal } from './removal.ts'

const digits = (description: string, maxLength: number) =>
  Type.String({ description, minLength: 1, maxLength })

export const newPaymentMethod = Type.Object(
  {
    customer_id: Type.Optional(
      id('Its customer. If absent, a customer is created from person_name.'),
    ),
    method: Type.Enum(['card', 'bank']),
    card_number: Type.Optional(digits('Sandbox only; becomes a token at once.', 30)),
    card_cvv: Type.Optional(digits('Checked, never stored.', 4)),
    bank_account: Type.Optional(digits('Sandbox only; becomes a token at once.', 17)),
    bank_routing: Type.Optional(digits('Nine digits.', 9)),
    payment_method_token: Type.Optional(
      text(
        'The gateway’s own token, instead of numbers. In the sandbox one for tests, such as tok_sandbox_visa_approve or tok_sandbox_visa_decline (visa, mastercard, amex, discover, bank), or one that the sandbox gave a payer’s browser.',
      ),
    ),
    ...PAYMENT_METHOD.creation,
    is_default: Type.Optional(
      flag(
        'true makes it the default of its customer, in place of the former one; false does not. When absent, it becomes the default of a customer who has none.',
      ),
    ),
    idempotency_id: idempotencyId,
  },
  {
    examples: [
      {
        method: 'card',
        person_name: 'Ada Lovelace',
        card_number: '4111111111111111',
        card_cvv: '123',
        card_exp: '1230',
      },
    ],
  },
)

const unchangeable = Type.Optional(fixed(CANNOT_CHANGE, 'Cannot be changed.'))

export const paymentMethodChange = Type.Object(
  {
    ...PAYMENT_METHOD.change,
    remove: removal(['nickname', 'bank_name', 'bank_type', 'bank_holder_type', ...ADDRESS_NAMES]),
    is_default: Type.Optional(
      flag(
        'true makes it the default of its customer, in place of the former one; false ends that.',
      ),
    ),
    customer_id: Type.Optional(id('Cannot be changed.')),
    method: Type.Optional(Type.String({ description: 'Cannot be changed.' })),
    card_number: unchangeable,
    card_cvv: unchangeable,
    bank_account: unchangeable,
    bank_routing: unchangeable,
    payment_method_token: unchangeable,
  },
  {
    description: 'Absent fields keep their value; meta is replaced as a whole.',
    examples: [{ nickname: 'The blue one', address_zip: '10001', is_default: true }],
  },
)

export const paymentMethod = resourceSchema('PaymentMethod', PAYMENT_METHOD.answer)
