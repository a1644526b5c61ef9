import { type Refusal, wrongField } from '../../core/errors.ts'
import type { PaymentMethod } from '../../generated/client.ts'

/** A payment method stays with its gateway, which is not set up any more. */
export function strandedMethod({ gatewayName }: Pick<PaymentMethod, 'gatewayName'>): Refusal {
  const fault = `belongs to the gateway ${gatewayName}, which is not set up: create it again`
  return wrongField('payment_method_id', fault)
}
