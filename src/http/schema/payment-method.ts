import { examplePaymentMethod } from './examples.ts'
import { flag, id, idempotencyId, meta, shown, text } from './fields.ts'
import { Type } from './type.ts'

const digits = (description: string, maxLength: number) =>
  Type.String({ description, minLength: 1, maxLength })

const bankType = Type.Enum(['checking', 'savings'])
const holderType = Type.Enum(['personal', 'business'])

const address = {
  address_1: Type.Optional(text('Street.')),
  address_2: Type.Optional(text('Second line.')),
  address_city: Type.Optional(text('City.')),
  address_state: Type.Optional(text('State.')),
  address_zip: Type.Optional(text('ZIP or postal code.')),
  address_country: Type.Optional(text('Country.')),
}

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
    bank_name: Type.Optional(text('Name of the bank.')),
    bank_type: Type.Optional(bankType),
    bank_holder_type: Type.Optional(holderType),
    payment_method_token: Type.Optional(text('Live: the gateway’s own token.')),
    nickname: Type.Optional(text('What the payer calls it.')),
    ...address,
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

/** Refused whatever it holds. */
const fixed = Type.Optional(
  Type.Unsafe<unknown>({ 'x-kind': 'fixed', description: 'Cannot be changed.' }),
)

export const paymentMethodChange = Type.Object(
  {
    nickname: Type.Optional(text('What the payer calls it.')),
    person_name: Type.Optional(text('The name on the card or of the account.')),
    card_exp: Type.Optional(digits('MMYY, not past; of a card only.', 4)),
    bank_name: Type.Optional(text('Name of the bank.')),
    bank_type: Type.Optional(bankType),
    bank_holder_type: Type.Optional(holderType),
    ...address,
    is_default: Type.Optional(
      flag('true: the one of the customer, in place of the one before. false: not any more.'),
    ),
    meta: Type.Optional(meta),
    customer_id: Type.Optional(id('Cannot be changed.')),
    method: Type.Optional(Type.String({ description: 'Cannot be changed.' })),
    card_number: fixed,
    card_cvv: fixed,
    bank_account: fixed,
    bank_routing: fixed,
    payment_method_token: fixed,
  },
  {
    description: 'What is absent stays; meta is replaced whole.',
    examples: [{ nickname: 'The blue one', address_zip: '10001', is_default: true }],
  },
)

export const paymentMethod = Type.Object(
  {
    id: shown.id,
    customer_id: { ...shown.idOrNull, description: 'null: cash or check, which are built in.' },
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
  { $id: 'PaymentMethod', additionalProperties: false, examples: [examplePaymentMethod] },
)
