// Changes an endpoint that others may change at the same moment, deliveries that fail among them.
// It holds the row until the commit, so that what changes is what really is.

import { Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { isInClear, sealedAnew } from './seal-secret.ts'
import { readWebhook, WEBHOOK_COLUMNS } from './webhook-row.ts'

/** What may change of a row, and what it is called there. */
const COLUMNS = {
  targetUrl: 'target_url',
  events: 'events',
  status: 'status',
  secret: 'secret',
  previousSecret: 'previous_secret',
  previousSecretUntil: 'previous_secret_until',
  failingSince: 'failing_since',
  disabledReason: 'disabled_reason',
  replayId: 'replay_id',
  replayAfter: 'replay_after',
  replayAfterId: 'replay_after_id',
  replayUntil: 'replay_until',
  dueAt: 'due_at',
  version: 'version',
  updatedAt: 'updated_at',
  deletedAt: 'deleted_at',
} as const satisfies Partial<Record<keyof Webhook, string>>

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/** What is to be of the fields that change; without one, nothing is written. */
export type WebhookChange = Partial<Omit<Pick<Webhook, keyof typeof COLUMNS>, 'version'>>

/** A replay that has ended, or is to end. */
export const NO_REPLAY = {
  replayId: null,
  replayAfter: null,
  replayAfterId: null,
  replayUntil: null,
  dueAt: null,
} as const satisfies WebhookChange

const HOLD = `
  SELECT ${WEBHOOK_COLUMNS} FROM webhook w
  WHERE w.account_id = $1 AND w.id = $2 AND w.deleted_at IS NULL
  FOR NO KEY UPDATE`

const UPDATE = `
  UPDATE webhook SET ${NAMES.map((name, i) => `${COLUMNS[name]} = $${i + 3}`).join(', ')}
  WHERE account_id = $1 AND id = $2`

/** Answers the endpoint as it is then. */
export function writeWebhook(
  world: World,
  accountId: string,
  id: string,
  changeOf: (webhook: Webhook, now: Date) => WebhookChange,
): Promise<Webhook> {
  return holdWebhook(world, accountId, id, async (query, webhook) => {
    const now = world.clock.now()
    const change = changeOf(webhook, now)
    if (Object.keys(change).length === 0) return webhook
    const secrets = isInClear(webhook) ? sealedAnew(world, webhook, webhook) : {}
    return updateHeld(query, webhook, { updatedAt: now, ...secrets, ...change })
  })
}

/** What `work` writes is one commit, during which nobody else changes the endpoint. */
export function holdWebhook<T>(
  world: World,
  accountId: string,
  id: string,
  work: (query: Query, webhook: Webhook) => Promise<T>,
): Promise<T> {
  return world.db.commit(`webhook ${accountId} ${id}`, async (query) =>
    work(query, await heldWebhook(query, accountId, id)),
  )
}

/** Nobody else changes it until the commit is done. */
export async function heldWebhook(query: Query, accountId: string, id: string): Promise<Webhook> {
  const [row] = await query(HOLD, [accountId, id])
  if (row === undefined) throw new Refusal('not_found')
  return readWebhook(row)
}

/** Its next version. */
export async function updateHeld(
  query: Query,
  webhook: Webhook,
  change: WebhookChange,
): Promise<Webhook> {
  const changed = { ...webhook, ...change, version: webhook.version + 1 }
  const { accountId, id } = changed
  await query(UPDATE, [accountId, id, ...NAMES.map((name) => changed[name])])
  return changed
}
