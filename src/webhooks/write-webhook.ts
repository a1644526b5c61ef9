// Changes an endpoint that other requests or failing deliveries may change at the same moment. It
// locks the row until the commit, so that the change applies to the current row.

import { orNotFound, undeleted } from '../core/or-not-found.ts'
import type { RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { InCommit } from '../db/queries.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { isInClear, resealed } from './seal-secret.ts'
import { holdRow, updateRow } from './webhook.ts'

/** The new values. If it is undefined, nothing is written. */
export type WebhookChange = Partial<Omit<Webhook, 'accountId' | 'id' | 'version' | 'createdAt'>>

/** Failures and silences so far do not count any more, and a rest is over. */
export const FAILURES_FORGOTTEN = {
  failingSince: null,
  silences: 0,
  restingUntil: null,
} as const satisfies WebhookChange

/**
 * The change of an endpoint that gets no events any more: its replay ends. A pause stays, because
 * only an operator may end it.
 */
export const STOPPED = {
  replayId: null,
  replayAfter: null,
  replayAfterId: null,
  replayUntil: null,
  dueAt: null,
} as const satisfies WebhookChange

/** Returns the endpoint as it is after the change. */
export function writeWebhook(
  world: World,
  key: RowKey,
  changeOf: (webhook: Webhook, now: Date) => WebhookChange,
  record?: InCommit<[changed: Webhook]>,
): Promise<Webhook> {
  return holdWebhook(world, key, async (query, webhook) => {
    const now = world.clock.now()
    const change = changeOf(webhook, now)
    if (Object.keys(change).length === 0) return webhook
    const secrets = isInClear(webhook) ? resealed(world, webhook, webhook) : {}
    const changed = await updateHeld(query, webhook, { updatedAt: now, ...secrets, ...change })
    await record?.(query, changed)
    return changed
  })
}

/** All that `work` writes is one commit, during which nothing else changes the endpoint. */
export function holdWebhook<T>(
  world: World,
  key: RowKey,
  work: (query: Query, webhook: Webhook) => Promise<T>,
): Promise<T> {
  return world.db.commit(`webhook ${key.accountId} ${key.id}`, async (query) =>
    work(query, await heldWebhook(query, key)),
  )
}

/** Nothing else changes it until the commit. */
export async function heldWebhook(query: Query, key: RowKey): Promise<Webhook> {
  return orNotFound(undeleted(await holdRow(query, key, 'FOR NO KEY UPDATE')))
}

/** Writes its next version. */
export async function updateHeld(
  query: Query,
  webhook: Webhook,
  change: WebhookChange,
): Promise<Webhook> {
  const changed = { ...webhook, ...change, version: webhook.version + 1 }
  await updateRow(query, changed)
  return changed
}
