// Checks the reference under which an operator has found a payment: a mistyped one, or that of
// another payment, would be refunded and voided later. Our orders carry our key, so the gateway
// says which payment is there.

import { type Cents, toDecimal } from '../../core/money.ts'
import { OperatorError } from '../../core/operator-error.ts'
import type { RowKey } from '../../db/columns.ts'
import type { GatewayEntry, OrderName } from '../../outside/gateway/port.ts'
import type { World } from '../../world.ts'

const PARKED = `
  SELECT t.type, t.total, m.gateway_name, m.gateway_token, p.id AS parent_id,
    p.type AS parent_type, p.auth_id AS parent_auth_id
  FROM transaction t
  JOIN payment_method m ON m.account_id = t.account_id AND m.id = t.payment_method_id
  LEFT JOIN transaction p ON p.account_id = t.account_id AND p.id = t.reference_id
  WHERE t.account_id = $1 AND t.id = $2 AND t.status = 'PENDING' AND t.parked_at IS NOT NULL`

/** A reference is part of an address at some gateways. */
const REFERENCE = /^\w[\w.-]{0,99}$/

/**
 * Returns the reference. Undefined if the payment does not wait for a decision. Throws if the
 * gateway has another payment under the reference, or none.
 */
export async function checkReference(
  world: World,
  { accountId, id }: RowKey,
  reference: string,
): Promise<string | undefined> {
  const [row] = await world.db.query(PARKED, [accountId, id])
  if (row === undefined) return undefined
  const { type, parent_id: parentKey, gateway_token: token } = row
  const total: Cents = BigInt(row.total)
  const order = { key: id, gatewayId: reference, operation: type, token }
  const parent = {
    key: parentKey,
    gatewayId: row.parent_auth_id,
    operation: row.parent_type,
    token,
  }
  const orders = parentKey === null ? [order] : [order, parent]
  const entries = REFERENCE.test(reference)
    ? await entriesOf(world, accountId, row.gateway_name, orders)
    : []
  // The sandbox finds an order by our key alone, under whatever reference.
  const under = entries.filter(({ gatewayId }) => gatewayId === reference)
  const own = under.find(({ key, state }) => key === id && state !== 'declined')
  if (own !== undefined && (type === 'void' || own.amount === total)) return reference
  // Some gateways keep the void of a hold as a state of the hold alone.
  const isVoided = under.some((one) => one.key === parentKey && one.isVoided)
  if (type === 'void' && isVoided) return reference
  throw new OperatorError(
    `the gateway has no ${type} of ${toDecimal(total)} for this payment under ${reference}: see its state there`,
  )
}

async function entriesOf(
  { gateways, log }: World,
  accountId: string,
  gatewayName: string,
  orders: readonly OrderName[],
): Promise<readonly GatewayEntry[]> {
  try {
    return await gateways.named(gatewayName).entriesOf(accountId, orders)
  } catch (error) {
    log.warn({ err: error, accountId }, 'the gateway was silent about a reference')
    throw new OperatorError('the gateway did not say what is under that reference: try again later')
  }
}
