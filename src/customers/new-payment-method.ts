// What a payment method is made of: on its way only, since it holds the number in the clear.

import type { PaymentMethod } from '../generated/client.ts'
import type { Instrument } from '../outside/gateway/port.ts'

export interface NewPaymentMethod {
  readonly customerId: string | undefined
  readonly method: 'card' | 'bank'
  readonly personName: string
  readonly instrument: Instrument
  readonly gatewayToken: string | undefined
  /** What may be kept as it came. */
  readonly details: Pick<
    PaymentMethod,
    | 'nickname'
    | 'cardExp'
    | 'bankName'
    | 'bankType'
    | 'bankHolderType'
    | 'address1'
    | 'address2'
    | 'addressCity'
    | 'addressState'
    | 'addressZip'
    | 'addressCountry'
  >
  readonly meta: Readonly<Record<string, unknown>>
}
