// What is kept of a request for a payment method.

import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import type { NewPaymentMethod } from './new-payment-method.ts'

/** What a repeat is compared with: of a number its last four digits, of a CVV nothing. */
export function keptRequest(input: NewPaymentMethod): CanonicalRequest {
  const { instrument, details } = input
  return JSON.parse(
    JSON.stringify({
      customer_id: input.customerId,
      method: input.method,
      person_name: input.personName,
      card_number: instrument.cardNumber?.slice(-4),
      card_exp: details.cardExp,
      bank_account: instrument.bankAccount?.slice(-4),
      bank_routing: instrument.bankRouting,
      bank_name: details.bankName,
      bank_type: details.bankType,
      bank_holder_type: details.bankHolderType,
      nickname: details.nickname,
      address_1: details.address1,
      address_2: details.address2,
      address_city: details.addressCity,
      address_state: details.addressState,
      address_zip: details.addressZip,
      address_country: details.addressCountry,
      meta: input.meta,
    }),
  )
}
