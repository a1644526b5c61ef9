// A customer as a request holds it, in the words of the rooms. What is absent stays absent.

import { toE164 } from '../../core/phone-number.ts'
import type { NewCustomer } from '../../customers/create-customer.ts'
import type { customerChange } from '../schema/customer.ts'
import type { Static } from '../schema/type.ts'

export function readCustomer(body: Static<typeof customerChange>): NewCustomer {
  return defined({
    firstname: body.firstname,
    lastname: body.lastname,
    company: body.company,
    email: body.email,
    phone: toE164(body.phone) ?? body.phone,
    ccEmails: body.cc_emails,
    ccSms: body.cc_sms?.flatMap((number) => toE164(number) ?? []),
    address1: body.address_1,
    address2: body.address_2,
    addressCity: body.address_city,
    addressState: body.address_state,
    addressZip: body.address_zip,
    addressCountry: body.address_country,
    notes: body.notes,
    reference: body.reference,
    meta: body.meta,
  })
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as Defined<T>
}
