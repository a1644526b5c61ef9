// What a payment method is made of: on its way only, since it holds the number in the clear.

import type { PaymentMethod } from '../generated/client.ts'
import type { Instrument } from '../outside/gateway/port.ts'

/** What may be kept as it came. */
export type Details = Pick<PaymentMethod, keyof typeof NO_DETAILS>

export interface NewPaymentMethod {
  readonly customerId: string | undefined
  readonly method: 'card' | 'bank'
  readonly personName: string
  readonly instrument: Instrument
  readonly gatewayToken: string | undefined
  readonly details: Details
  readonly meta: Readonly<Record<string, unknown>>
}

export const NO_DETAILS = {
  nickname: null,
  cardExp: null,
  bankName: null,
  bankType: null,
  bankHolderType: null,
  address1: null,
  address2: null,
  addressCity: null,
  addressState: null,
  addressZip: null,
  addressCountry: null,
}
