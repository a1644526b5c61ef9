// Writes a transaction that is recorded by hand, with its event. It goes to no gateway and joins no
// batch.

import type { RequestContext } from '../../accounts/acting-account.ts'
import type { Cents } from '../../core/money.ts'
import type { Query } from '../../db/database.ts'
import { changeOf, insertEvent } from '../../events/insert-event.ts'
import type { Customer, PaymentMethod, Transaction } from '../../generated/client.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from '../transaction/account-context.ts'
import { insertOwn, transactionWith } from '../transaction/transaction-row.ts'
import { type TransactionView, transactionView } from '../transaction/transaction-view.ts'

interface ByHand
  extends Pick<Transaction, 'id' | 'type' | 'currency' | 'total' | 'message' | 'meta'>,
    Partial<Pick<Transaction, 'source' | 'invoiceId' | 'scheduleId'>> {
  readonly customer: Customer
  readonly paymentMethod: PaymentMethod
}

/** Returns it as the API shows it. */
export async function writeByHand(
  world: World,
  query: Query,
  accountContext: AccountContext,
  { requestId, idempotencyKey }: RequestContext,
  { customer, paymentMethod, ...recorded }: ByHand,
): Promise<TransactionView> {
  const { accountId, now } = accountContext
  const own = transactionWith({
    ...recorded,
    accountId,
    method: paymentMethod.method,
    status: 'SUCCESS',
    captured: capturedOf(recorded.type, recorded.total),
    isManual: true,
    customerId: customer.id,
    paymentMethodId: paymentMethod.id,
    idempotencyId: idempotencyKey ?? null,
    requestId,
    version: 1,
    outcomeSequence: 1,
    createdAt: now,
    updatedAt: now,
  })
  const unbatched = { batchId: null, batchedAt: null, paymentLinkDeletedAt: null }
  const view = transactionView({ ...own, ...unbatched, customer, paymentMethod }, accountContext)
  await insertOwn(query, own)
  await insertEvent(world, query, changeOf('create_transaction', own, view, { requestId }))
  return view
}

/** Only a charge brings money. */
export function capturedOf(type: Transaction['type'], total: Cents): Cents {
  return type === 'charge' ? total : 0n
}
