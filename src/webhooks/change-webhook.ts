// Changes and deletes an endpoint. A field sent with its current value changes nothing.

import { isDeepStrictEqual } from 'node:util'
import { refuseChanged } from '../core/refuse-changed.ts'
import { after } from '../core/time-units.ts'
import type { RowKey } from '../db/columns.ts'
import type { InCommit } from '../db/queries.ts'
import type { Webhook, WebhookStatus } from '../generated/client.ts'
import type { World } from '../world.ts'
import { checkTarget } from './check-target.ts'
import type { NewWebhook } from './create-webhook.ts'
import { newSigningSecret, openSecretUnlessLost, sealSecret, usedSeals } from './seal-secret.ts'
import { findWebhook } from './webhook.ts'
import {
  FAILURES_FORGOTTEN,
  holdWebhook,
  STOPPED,
  updateHeld,
  type WebhookChange,
  writeWebhook,
} from './write-webhook.ts'

export interface SentWebhook extends Partial<NewWebhook> {
  readonly status?: WebhookStatus
}

/** `seenVersion`: the endpoint as it was shown. If it has changed since, nothing is done. */
export async function changeWebhook(
  world: World,
  key: RowKey,
  sent: SentWebhook,
  seenVersion?: number,
  record?: InCommit<[changed: Webhook]>,
): Promise<Webhook> {
  const { targetUrl } = await findWebhook(world, key)
  if (sent.targetUrl !== undefined && sent.targetUrl !== targetUrl) {
    await checkTarget(world, sent.targetUrl)
  }
  const change = (webhook: Webhook) => {
    refuseChanged('webhook', webhook, seenVersion)
    return changeOf(webhook, sent)
  }
  return writeWebhook(world, key, change, record)
}

function changeOf(webhook: Webhook, { targetUrl, events, status }: SentWebhook): WebhookChange {
  return {
    ...(targetUrl === undefined || targetUrl === webhook.targetUrl ? {} : movedTo(targetUrl)),
    ...(events === undefined || isDeepStrictEqual(events, webhook.events)
      ? {}
      : { events: [...events] }),
    ...(status === undefined || status === webhook.status ? {} : CHANGES[status]),
  }
}

/** Failures of the old address do not count for the new one. */
function movedTo(targetUrl: string): WebhookChange {
  return { targetUrl, ...FAILURES_FORGOTTEN }
}

const CHANGES: Readonly<Record<WebhookStatus, WebhookChange>> = {
  active: { status: 'active', disabledReason: null, ...FAILURES_FORGOTTEN },
  disabled: { status: 'disabled', ...STOPPED },
}

/**
 * Deletes an endpoint: no more events are written for it. Its row stays, for its past deliveries.
 *
 * Returns it in its last state.
 */
export function deleteWebhook(world: World, key: RowKey, record?: InCommit): Promise<Webhook> {
  return holdWebhook(world, key, async (query, webhook) => {
    const now = world.clock.now()
    const deleted = { pausedAt: null, deletedAt: now, updatedAt: now }
    await updateHeld(query, webhook, { ...STOPPED, ...deleted })
    await record?.(query)
    return webhook
  })
}

interface Rolled {
  readonly webhook: Webhook
  /** Shown only once. */
  readonly secret: string
}

/**
 * Gives an endpoint a new secret. Deliveries are signed with both until the merchant has changed
 * over. A secret older than the previous one is forgotten.
 *
 * An old one that cannot be opened ends at once. Another secret stands in its place, which signs
 * nothing: the row of a rolled endpoint always has a previous one.
 *
 * `overlapMs`: how long the old one stays valid. With none it stays in the row, but is invalid.
 * `seenVersion`: the endpoint as it was shown. If it has changed since, nothing is done.
 */
export async function rollSecret(
  world: World,
  key: RowKey,
  overlapMs: number,
  seenVersion?: number,
  record?: InCommit,
): Promise<Rolled> {
  const secret = newSigningSecret()
  const used = await usedSeals(world)
  const changeOfSecrets = (held: Webhook, now: Date) => {
    refuseChanged('webhook', held, seenVersion)
    const former = openSecretUnlessLost(world, key, held.secret, used)
    return {
      secret: sealSecret(world, key, secret),
      previousSecret: sealSecret(world, key, former ?? newSigningSecret()),
      previousSecretUntil: former === undefined ? now : after(now, overlapMs),
    }
  }
  const webhook = await writeWebhook(world, key, changeOfSecrets, record)
  return { webhook, secret }
}
