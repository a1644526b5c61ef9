// Returns whether the payer's bank asks the payer something. The answer has the payment's secret,
// and is given to a browser that knows the payment's nonce; it is stored and logged nowhere.

import type { FastifyReply } from 'fastify'
import { makeDue } from '../payments/make/handle-notice.ts'
import type { World } from '../world.ts'
import { answerJson } from './answer-errors.tsx'
import type { PaymentPage } from './payment-page.tsx'

const OPEN = `
  SELECT t.auth_id, t.gateway_name, m.gateway_token
  FROM transaction t
  JOIN payment_method m ON m.account_id = t.account_id AND m.id = t.payment_method_id
  WHERE t.account_id = $1 AND t.id = $2 AND t.status = 'PENDING' AND t.auth_id IS NOT NULL`

/**
 * A payment that the gateway has decided meanwhile is due at once, instead of at its next look-up.
 */
export async function answerStep(
  world: World,
  reply: FastifyReply,
  { payee, payment }: PaymentPage,
): Promise<FastifyReply> {
  const { accountId } = payee
  const [row] = payment === undefined ? [] : await world.db.query(OPEN, [accountId, payment.id])
  if (payment === undefined || row === undefined) return answerJson(reply, 200, { kind: 'none' })
  const gateway = world.gateways.named(row.gateway_name)
  const order = { token: row.gateway_token, gatewayId: row.auth_id }
  const step = (await gateway.payerStepOf?.(order)) ?? { kind: 'waiting' }
  if (step.kind === 'decided') await makeDue(world, gateway.name, { accountId, key: payment.id })
  return answerJson(reply, 200, step)
}
