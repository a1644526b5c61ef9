import { id, idempotencyId, meta, optionalText, shown, text } from './fields.ts'
import { Type } from './type.ts'

const digits = (description: string, maxLength: number) =>
  Type.String({ description, minLength: 1, maxLength })

export const newPaymentMethod = Type.Object(
  {
    customer_id: Type.Optional(id('Whose it is; without it a customer is made of person_name.')),
    method: Type.Enum(['card', 'bank']),
    person_name: text('The name on the card or of the account.'),
    card_number: Type.Optional(digits('Sandbox only; becomes a token at once.', 30)),
    card_cvv: Type.Optional(digits('Checked, never kept.', 4)),
    card_exp: Type.Optional(digits('MMYY.', 4)),
    bank_account: Type.Optional(digits('Sandbox only; becomes a token at once.', 17)),
    bank_routing: Type.Optional(digits('Nine digits.', 9)),
    bank_name: Type.Optional(optionalText('Name of the bank.')),
    bank_type: Type.Optional(Type.Enum(['checking', 'savings'])),
    bank_holder_type: Type.Optional(Type.Enum(['personal', 'business'])),
    payment_method_token: Type.Optional(text('Live: the gateway’s own token.')),
    nickname: Type.Optional(optionalText('What the payer calls it.')),
    address_1: Type.Optional(optionalText('Street.')),
    address_2: Type.Optional(optionalText('Second line.')),
    address_city: Type.Optional(optionalText('City.')),
    address_state: Type.Optional(optionalText('State.')),
    address_zip: Type.Optional(optionalText('ZIP or postal code.')),
    address_country: Type.Optional(optionalText('Country.')),
    meta: Type.Optional(meta),
    idempotency_id: Type.Optional(idempotencyId),
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

export const paymentMethod = Type.Object(
  {
    id: shown.id,
    customer_id: shown.id,
    method: Type.Enum(['card', 'bank', 'cash', 'check']),
    nickname: shown.textOrNull,
    person_name: shown.text,
    card_type: shown.textOrNull,
    card_last_four: shown.textOrNull,
    card_exp: shown.textOrNull,
    bank_name: shown.textOrNull,
    bank_type: shown.textOrNull,
    bank_holder_type: shown.textOrNull,
    bank_last_four: shown.textOrNull,
    address_1: shown.textOrNull,
    address_2: shown.textOrNull,
    address_city: shown.textOrNull,
    address_state: shown.textOrNull,
    address_zip: shown.textOrNull,
    address_country: shown.textOrNull,
    is_default: shown.flag,
    meta: shown.meta,
    created_at: shown.time,
    updated_at: shown.time,
  },
  { $id: 'PaymentMethod', additionalProperties: false },
)
