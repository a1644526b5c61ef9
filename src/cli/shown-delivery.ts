// How a delivery is shown at a terminal, and to whoever asks for JSON.

import type { Delivery } from '../generated/client.ts'

export function asJson(d: Delivery) {
  return {
    id: d.id,
    account_id: d.accountId,
    channel: d.channel,
    recipient: d.recipient,
    subject: d.subject,
    subject_id: d.subjectId,
    status: d.status,
    reason: d.reason,
    closed_at: d.closedAt,
    tries: d.tries,
    due_at: d.dueAt,
    provider_id: d.providerId,
    last_error: d.lastError,
    created_at: d.createdAt,
    updated_at: d.updatedAt,
    sent_at: d.sentAt,
    delivered_at: d.deliveredAt,
    history: Array.isArray(d.history) ? d.history : [],
  }
}

export function line(d: Delivery): object {
  const { id, account_id, channel, recipient, status, reason, tries, updated_at, last_error } =
    asJson(d)
  return oneLine({
    id,
    account_id,
    channel,
    recipient,
    status,
    reason,
    tries,
    updated_at,
    last_error,
  })
}

export function attempt(entry: unknown): object {
  const { at, ms, answer, by, detail } = entry as Readonly<Record<string, unknown>>
  return oneLine({ at, ms, answer: answer ?? `by the ${by}`, detail })
}

/** What a provider says may hold anything; it is read at a terminal. */
export function oneLine(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/\p{C}+/gu, ' ') : value,
  ])
  return Object.fromEntries(entries)
}
