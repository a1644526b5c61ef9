// Sends a receipt on request, to the customer and to the recipients of copies. The commit that
// answers the request also writes the deliveries.

import type { ActingAccount, RequestContext } from '../accounts/acting-account.ts'
import { holdClock } from '../accounts/hold-clock.ts'
import type { MessageChannel } from '../core/delivery.ts'
import { Refusal } from '../core/errors.ts'
import { orNotFound } from '../core/or-not-found.ts'
import { NOT_SUCCEEDED } from '../core/transaction.ts'
import { addressesOf } from '../customers/addresses-of.ts'
import type { Query } from '../db/database.ts'
import { refuseSending } from '../deliveries/refuse-sending.ts'
import { writeDeliveries } from '../deliveries/write-deliveries.ts'
import { type Done, once } from '../idempotency/once.ts'
import { contextOfCaller } from '../payments/transaction/account-context.ts'
import { lockTransaction } from '../payments/transaction/lock-transaction.ts'
import type { TransactionRow } from '../payments/transaction/transaction-row.ts'
import { versionAfter } from '../payments/transaction/transaction-version.ts'
import type { TransactionView } from '../payments/transaction/transaction-view.ts'
import { writeChange } from '../payments/transaction/write-change.ts'
import type { World } from '../world.ts'

export interface ReceiptInput {
  readonly transactionId: string
  readonly channel: MessageChannel
  /** In addition to the customer's own copies. */
  readonly copies: readonly string[]
  /** True if the customer gets no message. */
  readonly isForCopiesAlone?: boolean
}

/** The names of these fields in a conflict. */
const COPIES = { email: 'ccEmails', sms: 'ccSms' } as const

/** Returns the transaction, which shows when its receipt was accepted. */
export function requestReceipt(
  world: World,
  caller: ActingAccount,
  context: RequestContext,
  input: ReceiptInput,
): Promise<Done> {
  const { transactionId, channel, copies } = input
  const request = { transaction_id: transactionId, [COPIES[channel]]: [...copies] }
  const claim = { operation: `${channel}_receipt`, request, resourceId: transactionId }
  return once(world, context, claim, (query) => queueReceipt(world, query, caller, context, input))
}

async function queueReceipt(
  world: World,
  query: Query,
  caller: ActingAccount,
  { accountId, requestId }: RequestContext,
  { transactionId, channel, copies, isForCopiesAlone = false }: ReceiptInput,
): Promise<TransactionView> {
  const account = await holdClock(query, caller)
  const row = orNotFound(await lockTransaction(query, { accountId, id: transactionId }))
  await refuseSending(world, query, { accountId, subjectId: transactionId, channel })
  if (row.status !== 'SUCCESS') {
    throw new Refusal('wrong_state', { message: NOT_SUCCEEDED[row.status] })
  }
  const known = isForCopiesAlone ? [] : addressesOf(row.customer, channel)
  const recipients = [...known, ...copies]
  if (recipients.length === 0) throw new Refusal('no_recipient')
  await writeDeliveries(world, query, {
    accountId,
    channel,
    subject: 'transaction',
    subjectId: transactionId,
    recipients,
    request: world.newId(),
    requestId,
  })
  const timed = contextOfCaller(world, account)
  return writeChange(world, query, timed, { requestId }, accepted(row, channel, timed.now))
}

function accepted(row: TransactionRow, channel: MessageChannel, now: Date): TransactionRow {
  const next = { ...row, version: versionAfter(row.version), updatedAt: now }
  switch (channel) {
    case 'email':
      return { ...next, receiptEmailAt: now }
    case 'sms':
      return { ...next, receiptSmsAt: now }
  }
}
