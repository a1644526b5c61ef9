// The schemas of customers: what creates and changes one, and the answer.

import { CUSTOMER } from '../../customers/customer.ts'
import { Type } from '../../resource/json-schema.ts'
import { idempotencyId } from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'
import { removal } from './removal.ts'

export const newCustomer = Type.Object(
  { ...CUSTOMER.creation, idempotency_id: idempotencyId },
  {
    'x-kind': 'named',
    description: 'At least one of firstname, lastname, company and email.',
    examples: [{ firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' }],
  },
)

/** Those that may be absent, which is null in the row. */
const removable = Object.entries(CUSTOMER.fields)
  .filter(([, field]) => 'initial' in field && field.initial === null)
  .map(([name]) => name)

export const customerChange = Type.Object(
  { ...CUSTOMER.change, remove: removal(removable) },
  {
    description: 'Absent fields keep their value; meta and lists are replaced as a whole.',
    examples: [{ company: 'Analytical Engines', cc_emails: ['accounts@example.com'] }],
  },
)

export const customer = resourceSchema('Customer', CUSTOMER.answer)
