// An endpoint as the API shows it, in answers and in the snapshots of events: without its secrets.

import type { Webhook } from '../generated/client.ts'

export function webhookView(w: Webhook) {
  const [first, ...others] = w.events
  return {
    id: w.id,
    target_url: w.targetUrl,
    event: others.length === 0 ? first : w.events,
    status: w.status,
    disabled_reason: w.disabledReason,
    replaying: w.dueAt !== null,
    created_at: w.createdAt,
    updated_at: w.updatedAt,
  }
}

/** Only to whoever has just made the secret. */
export function webhookViewWithSecret(w: Webhook, secret: string) {
  return { ...webhookView(w), secret }
}
