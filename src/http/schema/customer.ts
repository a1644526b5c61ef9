import { exampleCustomer } from './examples.ts'
import { email, idempotencyId, meta, note, phone, phoneOrDigits, shown, text } from './fields.ts'
import { Type } from './type.ts'

const MOST_COPIES = 10
const COPIES = { maxItems: MOST_COPIES, description: 'Copies of every receipt.' }

const fields = {
  firstname: Type.Optional(text('First name.')),
  lastname: Type.Optional(text('Last name.')),
  company: Type.Optional(text('Company.')),
  email: Type.Optional(email),
  phone: Type.Optional(phoneOrDigits),
  cc_emails: Type.Optional(Type.Array(email, COPIES)),
  cc_sms: Type.Optional(Type.Array(phone, COPIES)),
  address_1: Type.Optional(text('Street.')),
  address_2: Type.Optional(text('Second line.')),
  address_city: Type.Optional(text('City.')),
  address_state: Type.Optional(text('State.')),
  address_zip: Type.Optional(text('ZIP or postal code.')),
  address_country: Type.Optional(text('Country.')),
  notes: Type.Optional(note('For the merchant’s own eyes.')),
  reference: Type.Optional(text('The merchant’s own name for the customer.')),
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

export const customerChange = Type.Object(fields, {
  description: 'What is absent stays; meta and lists are replaced whole.',
  examples: [{ company: 'Analytical Engines', cc_emails: ['books@example.com'] }],
})

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
