// A payment method as the API shows it: never what came in as a number, nor the gateway's token.

import type { PaymentMethod } from '../generated/client.ts'

export function paymentMethodView(m: PaymentMethod) {
  const isBank = m.method === 'bank'
  return {
    id: m.id,
    customer_id: m.customerId,
    method: m.method,
    nickname: m.nickname,
    person_name: m.personName,
    card_type: m.cardType,
    card_last_four: isBank ? null : m.lastFour,
    card_exp: m.cardExp,
    bank_name: m.bankName,
    bank_type: m.bankType,
    bank_holder_type: m.bankHolderType,
    bank_last_four: isBank ? m.lastFour : null,
    address_1: m.address1,
    address_2: m.address2,
    address_city: m.addressCity,
    address_state: m.addressState,
    address_zip: m.addressZip,
    address_country: m.addressCountry,
    is_default: m.isDefault,
    meta: m.meta,
    created_at: m.createdAt,
    updated_at: m.updatedAt,
  }
}
