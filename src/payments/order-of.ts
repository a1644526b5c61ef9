// What the gateway is asked to carry out for a row that was taken. It is built from what the row
// has frozen, so every order of a payment is the same, and the gateway carries it out once.

import assert from 'node:assert'
import type { TransactionType } from '../core/transaction.ts'
import type { Order } from '../outside/gateway/port.ts'
import type { Taken } from './take-payment.ts'

/** `now` in the account's time. */
export function orderOf(payment: Taken, now: Date): Order {
  const { accountId, id, referenceId, parentAuthId } = payment
  const token = payment.paymentMethod.gatewayToken
  assert(token !== null, 'only what was recorded by hand has no token, and it owes nothing')
  return {
    accountId,
    key: id,
    operation: operationOf(payment.type),
    parent: referenceId === null ? undefined : { key: referenceId, gatewayId: parentAuthId },
    token,
    amount: payment.total,
    currency: payment.currency,
    now,
    deadlineAt: payment.deadlineAt,
  }
}

function operationOf(type: TransactionType): Order['operation'] {
  assert(type !== 'credit', 'a credit is recorded by hand, and owes nothing')
  return type
}
