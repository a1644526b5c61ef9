// A customer as the API shows it, in answers and in the snapshots of events.

import type { Customer } from '../generated/client.ts'

export function customerView(c: Customer) {
  return {
    id: c.id,
    firstname: c.firstname,
    lastname: c.lastname,
    company: c.company,
    email: c.email,
    phone: c.phone,
    cc_emails: c.ccEmails,
    cc_sms: c.ccSms,
    address_1: c.address1,
    address_2: c.address2,
    address_city: c.addressCity,
    address_state: c.addressState,
    address_zip: c.addressZip,
    address_country: c.addressCountry,
    notes: c.notes,
    reference: c.reference,
    meta: c.meta,
    created_at: c.createdAt,
    updated_at: c.updatedAt,
  }
}
