// Changes a transaction that was recorded by hand. Those that the service made have moved money and
// never change.

import { isDeepStrictEqual } from 'node:util'
import type { ActingAccount, RequestContext } from '../../accounts/acting-account.ts'
import { holdReadyClock } from '../../accounts/hold-clock.ts'
import { Refusal } from '../../core/errors.ts'
import type { Cents } from '../../core/money.ts'
import { orNotFound } from '../../core/or-not-found.ts'
import { namedCustomer } from '../../customers/find-customer.ts'
import type { Query } from '../../db/database.ts'
import type { Prisma } from '../../generated/client.ts'
import type { World } from '../../world.ts'
import { type AccountContext, contextOfCaller } from '../transaction/account-context.ts'
import { lockTransaction, transactionTurn } from '../transaction/lock-transaction.ts'
import type { TransactionRow } from '../transaction/transaction-row.ts'
import { versionAfter } from '../transaction/transaction-version.ts'
import { type TransactionView, transactionView } from '../transaction/transaction-view.ts'
import { writeChange } from '../transaction/write-change.ts'
import { capturedOf } from './write-by-hand.ts'

/** Absent fields stay as they are. */
export interface TransactionChange {
  readonly total?: Cents
  readonly customerId?: string
  readonly source?: string | null
  readonly message?: string | null
  readonly meta?: Readonly<Record<string, unknown>>
}

export function changeTransaction(
  world: World,
  caller: ActingAccount,
  context: RequestContext,
  id: string,
  change: TransactionChange,
): Promise<TransactionView> {
  const key = { accountId: context.accountId, id }
  return world.db.commit(transactionTurn(key), async (query) => {
    const account = await holdReadyClock(query, caller)
    const row = orNotFound(await lockTransaction(query, key))
    const timed = contextOfCaller(world, account)
    if (!row.isManual) throw new Refusal('transaction_immutable')
    refuseChangeOfPaid(row, change)
    const next = await changed(query, timed, row, change)
    if (next === undefined) return transactionView(row, timed)
    return writeChange(world, query, timed, context, next)
  })
}

/** The invoice that it has paid shows the amount and the customer as well. */
function refuseChangeOfPaid(row: TransactionRow, { total, customerId }: TransactionChange): void {
  if (row.invoiceId === null) return
  const isSame =
    (total ?? row.total) === row.total && (customerId ?? row.customerId) === row.customerId
  if (isSame) return
  const message = 'its amount and its customer cannot be changed: it has paid an invoice'
  throw new Refusal('transaction_immutable', { message })
}

/** Undefined if the change has no effect. */
async function changed(
  query: Query,
  accountContext: AccountContext,
  row: TransactionRow,
  change: TransactionChange,
): Promise<TransactionRow | undefined> {
  const { customerId = row.customerId, total = row.total } = change
  const isSame = customerId === row.customerId
  const next = {
    ...row,
    ...change,
    captured: capturedOf(row.type, total),
    customer: isSame
      ? row.customer
      : await namedCustomer(query, accountContext.accountId, customerId),
    meta: (change.meta ?? row.meta) as Prisma.JsonObject,
  }
  if (isDeepStrictEqual(next, row)) return undefined
  return { ...next, version: versionAfter(row.version), updatedAt: accountContext.now }
}
