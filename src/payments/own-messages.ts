// What a payment's outcome says by itself: a receipt to its customer, where the account or the
// payment's schedule wants one, and to who asked for one while paying; that a bill is still to be
// paid, where a schedule's payment failed.

import { addressesOf, MESSAGE_CHANNELS, type MessageChannel } from '../customers/addresses-of.ts'
import type { NewDeliveries } from '../deliveries/write-deliveries.ts'
import type { Transaction } from '../generated/client.ts'
import type { TransactionOutcome } from './record-outcome.ts'
import type { Taken } from './take-payment.ts'

export interface OwnMessages {
  readonly receiptEmailAt: Date | null
  readonly receiptSmsAt: Date | null
  readonly deliveries: readonly NewDeliveries[]
}

/** What brings or returns money. An authorisation has not, and of a void nobody need hear. */
const TOLD_TYPES: readonly Transaction['type'][] = ['charge', 'capture', 'refund']

export function ownMessages(taken: Taken, { status }: TransactionOutcome, at: Date): OwnMessages {
  const deliveries = MESSAGE_CHANNELS.flatMap((channel) => messagesBy(taken, status, channel))
  const receiptAt = (channel: MessageChannel) =>
    deliveries.some((one) => one.subject === 'transaction' && one.channel === channel) ? at : null
  return {
    receiptEmailAt: receiptAt('email') ?? taken.receiptEmailAt,
    receiptSmsAt: receiptAt('sms') ?? taken.receiptSmsAt,
    deliveries,
  }
}

function messagesBy(
  taken: Taken,
  status: TransactionOutcome['status'],
  channel: MessageChannel,
): readonly NewDeliveries[] {
  const { accountId, id, requestId, customer, invoice } = taken
  const known = taken.tellsBy.includes(channel) ? addressesOf(customer, channel) : []
  const isSuccess = status === 'SUCCESS'
  // Who asked for it may be the customer: whoever is named twice gets one.
  const recipients = isSuccess ? [...known, ...askedFor(taken, channel)] : known
  if (recipients.length === 0) return []
  const common = { accountId, channel, recipients, request: id, requestId }
  if (isSuccess) {
    const isTold = TOLD_TYPES.includes(taken.type)
    return isTold ? [{ ...common, subject: 'transaction', subjectId: id }] : []
  }
  // A refund that was declined leaves paid what was paid.
  const isPayment = taken.type === 'charge' && taken.scheduleId !== null
  const isBillOpen = isPayment && invoice !== undefined && !taken.isScheduleDeleted
  return isBillOpen ? [{ ...common, subject: 'invoice', subjectId: invoice.id }] : []
}

function askedFor({ receiptTo }: Taken, channel: MessageChannel): readonly string[] {
  return channel === 'email' && receiptTo !== null ? [receiptTo] : []
}
