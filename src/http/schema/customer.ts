import { exampleCustomer } from './examples.ts'
import { email, idempotencyId, meta, note, nullable, optionalText, phone, shown } from './fields.ts'
import { type Schema, Type } from './type.ts'

const MOST_COPIES = 10
const COPIES = { maxItems: MOST_COPIES, description: 'Copies of every receipt.' }

const fields = {
  firstname: Type.Optional(optionalText('First name.')),
  lastname: Type.Optional(optionalText('Last name.')),
  company: Type.Optional(optionalText('Company.')),
  email: Type.Optional(nullable(email)),
  phone: Type.Optional(nullable(phone)),
  cc_emails: Type.Optional(Type.Array(email, COPIES)),
  cc_sms: Type.Optional(Type.Array(phone, COPIES)),
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
  { ...fields, idempotency_id: Type.Optional(idempotencyId) },
  {
    'x-kind': 'named',
    description: 'At least one of firstname, lastname, company and email.',
    examples: [{ firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' }],
  },
)

const emptied = <T>(schema: Schema<T>) =>
  Type.Optional(Type.Unsafe<T | null>({ ...schema, type: [schema.type, 'null'] }))

export const customerChange = Type.Object(
  {
    ...fields,
    cc_emails: emptied(fields.cc_emails),
    cc_sms: emptied(fields.cc_sms),
    meta: emptied(meta),
  },
  {
    description:
      'What is absent stays, null empties a field, meta is replaced whole. One of firstname, ' +
      'lastname, company and email must be left.',
    examples: [{ company: 'Analytical Engines', phone: null, cc_emails: ['books@example.com'] }],
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
  { $id: 'Customer', additionalProperties: false, examples: [exampleCustomer] },
)
