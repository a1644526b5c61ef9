// Sends a receipt because somebody asks for it: to the customer, and to whoever is to get a copy.
// The messages are owed in the commit that answers.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import { addressesOf, type MessageChannel } from '../customers/addresses-of.ts'
import type { Query } from '../db/database.ts'
import { writeDeliveries } from '../deliveries/write-deliveries.ts'
import { insertEvent } from '../events/insert-event.ts'
import type { Done } from '../idempotency/once.ts'
import { onceInCommit } from '../idempotency/once-in-commit.ts'
import type { Books } from '../payments/books.ts'
import { familyOf } from '../payments/family.ts'
import { lockTransaction } from '../payments/lock-transaction.ts'
import type { TransactionRow } from '../payments/transaction-row.ts'
import { type TransactionView, transactionView } from '../payments/transaction-view.ts'
import type { World } from '../world.ts'

export interface ReceiptWish {
  readonly transactionId: string
  readonly channel: MessageChannel
  /** Beside those that the customer has. */
  readonly copies: readonly string[]
  /** The customer has heard of it, or need not. */
  readonly isForCopiesAlone?: boolean
}

/** What a conflict calls those whom the request names. */
const COPIES = { email: 'ccEmails', sms: 'ccSms' } as const

/** Answers the transaction, which says when its receipt was accepted. */
export function requestReceipt(
  world: World,
  books: Books,
  asking: Asking,
  wish: ReceiptWish,
): Promise<Done> {
  const { transactionId, channel, copies } = wish
  return onceInCommit(
    world,
    {
      accountId: books.accountId,
      operation: `${channel}_receipt`,
      idempotencyKey: asking.idempotencyKey,
      request: { transaction_id: transactionId, [COPIES[channel]]: [...copies] },
      resourceId: transactionId,
    },
    (query) => owe(world, query, books, asking, wish),
  )
}

async function owe(
  world: World,
  query: Query,
  books: Books,
  { requestId }: Asking,
  { transactionId, channel, copies, isForCopiesAlone = false }: ReceiptWish,
): Promise<TransactionView> {
  const { accountId } = books
  const row = await lockTransaction(query, { accountId, id: transactionId })
  if (row === undefined) throw new Refusal('not_found')
  if (row.status !== 'SUCCESS') throw new Refusal('wrong_state', { message: `it is ${row.status}` })
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
  return tell(world, query, books, requestId, accepted(row, channel, books.now))
}

function accepted(row: TransactionRow, channel: MessageChannel, now: Date): TransactionRow {
  const next = { ...row, version: row.version + 1, updatedAt: now }
  switch (channel) {
    case 'email':
      return { ...next, receiptEmailAt: now }
    case 'sms':
      return { ...next, receiptSmsAt: now }
  }
}

const ACCEPT = `
  UPDATE transaction SET receipt_email_at = $3, receipt_sms_at = $4, version = $5, updated_at = $6
  WHERE account_id = $1 AND id = $2`

async function tell(
  world: World,
  query: Query,
  books: Books,
  requestId: string,
  row: TransactionRow,
): Promise<TransactionView> {
  const { accountId, id, receiptEmailAt, receiptSmsAt, version, updatedAt } = row
  await query(ACCEPT, [accountId, id, receiptEmailAt, receiptSmsAt, version, updatedAt])
  const view = transactionView(row, books, await familyOf(query, accountId, [row]))
  await insertEvent(world, query, {
    accountId,
    type: 'update_transaction',
    resourceId: id,
    sequence: version,
    view,
    requestId,
    at: updatedAt,
  })
  return view
}
