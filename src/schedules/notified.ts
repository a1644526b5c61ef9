// The messages by which a customer is notified of a schedule's invoices.

import { MESSAGE_CHANNELS } from '../core/delivery.ts'
import { addressesOf } from '../customers/addresses-of.ts'
import type { Query } from '../db/database.ts'
import { type Addressed, reachable } from '../deliveries/reachable.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { ScheduleRow } from './schedule.ts'

interface Notifying extends ScheduleRow {
  readonly account: { readonly smsEnabled: boolean }
}

/** If the payment method of a schedule is deleted, the customer pays by hand. */
export function isCharged(method: PaymentMethod | null): method is PaymentMethod {
  return method !== null && method.deletedAt === null
}

/** By each channel with an address: a bill, or the receipt of an automatic payment. */
export function notifiedOf(schedule: Notifying): readonly Addressed[] {
  const { accountId, account, customer, emailNotification, smsNotification } = schedule
  const isWanted = { email: emailNotification, sms: smsNotification && account.smsEnabled }
  const isScheduled = !isCharged(schedule.paymentMethod)
  return MESSAGE_CHANNELS.filter((channel) => isWanted[channel])
    .map((channel) => ({
      accountId,
      channel,
      recipients: addressesOf(customer, channel),
      isScheduled,
    }))
    .filter(({ recipients }) => recipients.length > 0)
}

/** The ids of the schedules whose customer gets a message. */
export async function reachedBy(
  query: Query,
  schedules: readonly Notifying[],
): Promise<ReadonlySet<string>> {
  const messages = schedules.flatMap((one) =>
    notifiedOf(one).map((message) => ({ ...message, id: one.id })),
  )
  return new Set([...(await reachable(query, messages))].map(({ id }) => id))
}
