// An endpoint as statements read and write it, and as the API shows it: without its secrets.

import { Refusal } from '../core/errors.ts'
import { columnsOf } from '../db/columns.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'

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

/** Only for the answer to the request that made the secret. */
export function webhookViewWithSecret(w: Webhook, secret: string) {
  return { ...webhookView(w), secret }
}

/** For statements that call the table `w`. */
export const {
  list: WEBHOOK_COLUMNS,
  read: readWebhook,
  hold: holdRow,
  update: updateRow,
} = columnsOf<Webhook>('Webhook', 'w')

/** A deleted endpoint is not found. */
export async function findWebhook(world: World, accountId: string, id: string): Promise<Webhook> {
  const where = { accountId_id: { accountId, id }, deletedAt: null }
  const found = await world.db.prisma.webhook.findUnique({ where })
  if (found === null) throw new Refusal('not_found')
  return found
}

/** A form that was sent twice, or that was shown before another change, does nothing. */
export function refuseChanged({ version }: Webhook, seenVersion: number | undefined): void {
  if (seenVersion !== undefined && version !== seenVersion) {
    throw new Refusal('wrong_state', { message: 'the webhook has changed meanwhile' })
  }
}

/** A disabled endpoint gets no deliveries. */
export function refuseDisabled({ status }: Webhook): void {
  if (status === 'disabled') {
    throw new Refusal('wrong_state', { message: 'the webhook is disabled; enable it first' })
  }
}
