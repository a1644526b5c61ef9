// A customer: the fields, the columns, and the writes that are events.

import { toE164 } from '../core/phone-number.ts'
import { columnsOf } from '../db/columns.ts'
import { resourceOf } from '../events/resource.ts'
import type { Customer } from '../generated/client.ts'
import { ADDRESS, column } from '../resource/column-kinds.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { answerField, email, phone, phoneOrDigits } from '../resource/schemas.ts'

const COPIES = { maxItems: 10, description: 'Addresses that get a copy of every receipt.' }

export const CUSTOMER = declareFields<Customer>()({
  id: { shown: answerField.id },
  firstname: column.text('First name.'),
  lastname: column.text('Last name.'),
  company: column.text('Company.'),
  email: column.textual(email),
  phone: {
    ...column.textual(phoneOrDigits),
    read: (sent: string) => toE164(sent) ?? sent,
  },
  cc_emails: { sent: Type.Array(email, COPIES), initial: [], shown: answerField.texts },
  cc_sms: {
    sent: Type.Array(phone, COPIES),
    read: (sent: readonly string[]) => sent.flatMap((number) => toE164(number) ?? []),
    initial: [],
    shown: answerField.texts,
  },
  ...ADDRESS,
  notes: column.note('Notes that only the merchant sees.'),
  reference: column.text('The merchant’s own reference for the customer.'),
  meta: column.meta(),
  created_at: { shown: answerField.time },
  updated_at: { shown: answerField.time },
})

/** The customer fields of a request. Absent and null mean the same: the value is unknown. */
export type CustomerInput = ReturnType<typeof CUSTOMER.readChange>

/** A customer as the API shows it, in answers and in the snapshots of events. */
export const customerView = (customer: Customer) => CUSTOMER.view(customer)

export const customerColumns = columnsOf<Customer>('Customer', 'c')

/**
 * A commit that locks payment methods locks their customer first, so that commits never deadlock.
 */
export const customers = resourceOf(customerColumns, 'customer', customerView)

const NAMES = ['firstname', 'lastname', 'company', 'email']

/** The fault of a customer without a name, reported for the first of these fields. */
export const NAMELESS = `is required, or another of ${NAMES.join(', ')}`

export function isNamed(customer: object): boolean {
  const fields = new Map(Object.entries(customer))
  return NAMES.some((name) => (fields.get(name) ?? '') !== '')
}
