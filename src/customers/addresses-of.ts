// Where a customer is written to: the own address first, then the copies.

import type { DeliveryChannel } from '../core/delivery.ts'
import type { Customer } from '../generated/client.ts'

/** What carries messages to people. */
export type MessageChannel = Exclude<DeliveryChannel, 'webhook'>

export const MESSAGE_CHANNELS: readonly MessageChannel[] = ['email', 'sms']

type Addresses = Pick<Customer, 'email' | 'phone' | 'ccEmails' | 'ccSms'>

export function addressesOf(customer: Addresses, channel: MessageChannel): readonly string[] {
  switch (channel) {
    case 'email':
      return customer.email === null ? customer.ccEmails : [customer.email, ...customer.ccEmails]
    case 'sms':
      return customer.phone === null ? customer.ccSms : [customer.phone, ...customer.ccSms]
  }
}
