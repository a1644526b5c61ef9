import { email, idempotencyId, meta, note, nullable, optionalText, phone, shown } from './fields.ts'
import { Type } from './type.ts'

const MOST_COPIES = 10

export const customerFields = {
  firstname: Type.Optional(optionalText('First name.')),
  lastname: Type.Optional(optionalText('Last name.')),
  company: Type.Optional(optionalText('Company.')),
  email: Type.Optional(nullable(email)),
  phone: Type.Optional(nullable(phone)),
  cc_emails: Type.Optional(
    Type.Array(email, { maxItems: MOST_COPIES, description: 'Copies of every receipt.' }),
  ),
  cc_sms: Type.Optional(
    Type.Array(phone, { maxItems: MOST_COPIES, description: 'Copies of every receipt.' }),
  ),
  address_1: Type.Optional(optionalText('Street.')),
  address_2: Type.Optional(optionalText('Second line.')),
  address_city: Type.Optional(optionalText('City.')),
  address_state: Type.Optional(optionalText('State.')),
  address_zip: Type.Optional(optionalText('ZIP or postal code.')),
  address_country: Type.Optional(optionalText('Country.')),
  notes: Type.Optional(note('For the merchant’s own eyes.')),
  reference: Type.Optional(optionalText('The merchant’s own name for the customer.')),
  meta: Type.Optional(meta),
}

export const newCustomer = Type.Object(
  { ...customerFields, idempotency_id: Type.Optional(idempotencyId) },
  {
    'x-kind': 'named',
    description: 'At least one of firstname, lastname, company and email.',
    examples: [{ firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' }],
  },
)

export const customer = Type.Object(
  {
    id: shown.id,
    firstname: shown.textOrNull,
    lastname: shown.textOrNull,
    company: shown.textOrNull,
    email: shown.textOrNull,
    phone: shown.textOrNull,
    cc_emails: shown.texts,
    cc_sms: shown.texts,
    address_1: shown.textOrNull,
    address_2: shown.textOrNull,
    address_city: shown.textOrNull,
    address_state: shown.textOrNull,
    address_zip: shown.textOrNull,
    address_country: shown.textOrNull,
    notes: shown.textOrNull,
    reference: shown.textOrNull,
    meta: shown.meta,
    created_at: shown.time,
    updated_at: shown.time,
  },
  { $id: 'Customer', additionalProperties: false },
)
