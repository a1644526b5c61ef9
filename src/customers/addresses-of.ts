// The addresses at which a customer gets messages: the customer's own one first, then the copies.

import type { MessageChannel } from '../core/delivery.ts'
import { toE164 } from '../core/phone-number.ts'
import type { Customer } from '../generated/client.ts'

type Addresses = Pick<Customer, 'email' | 'phone' | 'ccEmails' | 'ccSms'>

export function addressesOf(customer: Addresses, channel: MessageChannel): readonly string[] {
  switch (channel) {
    case 'email':
      return customer.email === null ? customer.ccEmails : [customer.email, ...customer.ccEmails]
    case 'sms':
      return isTexted(customer.phone) ? [customer.phone, ...customer.ccSms] : customer.ccSms
  }
}

/** A phone number that was stored as it was typed cannot be texted. */
function isTexted(phone: string | null): phone is string {
  return phone !== null && toE164(phone) === phone
}
