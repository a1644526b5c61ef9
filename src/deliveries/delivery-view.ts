// A delivery as the API shows it to the merchant that sends the message.

import type { Delivery } from '../generated/client.ts'

export type DeliveryView = ReturnType<typeof deliveryView>

export function deliveryView(d: Delivery) {
  return {
    id: d.id,
    channel: d.channel,
    subject: d.subject,
    subject_id: d.subjectId,
    recipient: d.recipient,
    status: d.status,
    attempts: d.tries,
    next_attempt_at: d.dueAt,
    provider_id: d.providerId,
    last_error: d.lastError,
    reason: d.reason,
    history: d.history,
    created_at: d.createdAt,
    updated_at: d.updatedAt,
    sent_at: d.sentAt,
    delivered_at: d.deliveredAt,
  }
}
