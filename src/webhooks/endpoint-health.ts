// The health of an endpoint: since when all its deliveries have failed, and how often in a row it
// did not answer. It rests after each silence, and is disabled after too long, or if it says that
// it is gone.

import { type Backoff, backoffMs } from '../core/backoff.ts'
import { Refusal } from '../core/errors.ts'
import { after, DAY, MINUTE, SECOND } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import { gatheredStatement } from '../db/gathered.ts'
import { writeDeliveries } from '../deliveries/write-deliveries.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { webhookView } from './webhook.ts'
import { holdWebhook, STOPPED, updateHeld } from './write-webhook.ts'

/** The endpoint and the delivery of the attempt. */
export interface Attempted {
  readonly accountId: string
  readonly webhookId: string
  readonly requestId: string
  /** The address that was asked. What it says does not count for a later one. */
  readonly targetUrl: string
  /** As they were read before the attempt. */
  readonly failingSince: Date | null
  readonly silences: number
}

/** A silent endpoint holds a place for the whole time limit, so it is asked seldom. */
const REST: Backoff = { firstMs: SECOND, mostMs: MINUTE }

/** More are not counted: the rest is the longest by then. */
const MOST_SILENCES = 20

/** A long weekend, and a day to notice. */
const LONGEST_FAILING_MS = 5 * DAY

/** The longest excerpt of the last failure that people read. */
const LONGEST_FAILURE = 200

const CLEAR = `
  UPDATE webhook SET failing_since = NULL, silences = 0, resting_until = NULL
  WHERE account_id = $1 AND id = $2 AND target_url = $3 AND failing_since IS NOT NULL`

/** Read for all successes of the moment at once. */
const isFailingNow = gatheredStatement({
  name: 'is-endpoint-failing',
  columns: { accountId: 'uuid', webhookId: 'uuid' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, (
      SELECT failing_since IS NOT NULL FROM webhook
      WHERE account_id = i.account_id AND id = i.webhook_id
    ) AS is_failing
    FROM input i`,
  read: (row): boolean => row.is_failing === true,
  isPatient: true,
})

/**
 * A failure that was recorded while this attempt was under way counts no more than an earlier one.
 * It never throws, because the delivery has succeeded.
 */
export async function noteSuccess(world: World, attempted: Attempted): Promise<void> {
  const { accountId, webhookId, requestId, targetUrl, failingSince } = attempted
  try {
    const isFailing =
      failingSince !== null || (await world.db.ask(isFailingNow, { accountId, webhookId }))
    if (isFailing) await world.db.query(CLEAR, [accountId, webhookId, targetUrl])
  } catch (err) {
    const about = { request_id: requestId, account_id: accountId, id: webhookId }
    world.log.warn({ ...about, err }, 'the recovery of an endpoint was not recorded')
  }
}

/** Failures of attempts that were under way together count once. */
const SET = `
  UPDATE webhook SET failing_since = coalesce(failing_since, $3), silences = $5, resting_until = $6
  WHERE account_id = $1 AND id = $2 AND silences = $4 AND target_url = $7
    AND (failing_since IS NULL OR silences <> $5 OR $6::timestamptz IS NOT NULL)`

/**
 * After a silence the endpoint gets nothing for a while, longer each time; then one delivery at a
 * time until it answers. Returns true if the endpoint is disabled now.
 */
export async function noteFailure(
  world: World,
  attempted: Attempted,
  failure: string,
  isSilence = false,
): Promise<boolean> {
  const { accountId, webhookId, targetUrl, failingSince, silences: before } = attempted
  const now = world.clock.now()
  const silences = isSilence ? Math.min(before + 1, MOST_SILENCES) : 0
  if (failingSince === null || isSilence || silences !== before) {
    const restingUntil = isSilence ? after(now, backoffMs(REST, silences)) : null
    const values = [accountId, webhookId, now, before, silences, restingUntil, targetUrl]
    await world.db.query(SET, values)
    if (restingUntil !== null) world.queues.startRoundAt('webhook', restingUntil)
  }
  if (failingSince === null || !isTooLong(failingSince, now)) return false
  const last = failure.slice(0, LONGEST_FAILURE)
  const reason = `Nothing but failures for 5 days; the last one: ${last}`.toWellFormed()
  // Checked again under the lock, because a success may have come in between.
  return disable(world, attempted, reason, (webhook) => isTooLong(webhook.failingSince, now))
}

/** The endpoint said that it is gone. Returns true if it is disabled now. */
export function noteGone(world: World, attempted: Attempted): Promise<boolean> {
  return disable(world, attempted, 'It answered 410: it is gone for good', () => true)
}

function isTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now >= after(failingSince, LONGEST_FAILING_MS)
}

/**
 * Row, event and letter are one commit. A later call finds it done. Returns true if the endpoint is
 * disabled now.
 */
async function disable(
  world: World,
  attempted: Attempted,
  reason: string,
  isDue: (webhook: Webhook) => boolean,
): Promise<boolean> {
  const { accountId, webhookId, requestId, targetUrl } = attempted
  try {
    return await holdWebhook(world, { accountId, id: webhookId }, async (query, webhook) => {
      if (webhook.status === 'disabled') return true
      if (webhook.targetUrl !== targetUrl || !isDue(webhook)) return false
      const disabled = await updateHeld(query, webhook, {
        status: 'disabled',
        disabledReason: reason,
        updatedAt: world.clock.now(),
        ...STOPPED,
      })
      await notify(world, query, disabled, requestId)
      return true
    })
  } catch (error) {
    // It was deleted meanwhile, so nothing is written.
    if (error instanceof Refusal && error.code === 'not_found') return true
    throw error
  }
}

const OWNER = `
  SELECT t.email, a.clock_at FROM account a JOIN team t ON t.id = a.team_id WHERE a.id = $1`

/** Notifies the other endpoints of the account, and the team. */
async function notify(
  world: World,
  query: Query,
  webhook: Webhook,
  requestId: string,
): Promise<void> {
  const { accountId, id, version } = webhook
  const [owner] = await query(OWNER, [accountId])
  const at = world.accountNow({ clockAt: owner?.clock_at ?? null })
  const disabled = { ...webhook, updatedAt: at }
  const change = changeOf('webhook_disabled', disabled, webhookView(webhook), { requestId })
  await insertEvent(world, query, change)
  await writeDeliveries(world, query, {
    accountId,
    channel: 'email',
    subject: 'webhook',
    subjectId: id,
    recipients: owner?.email ? [owner.email] : [],
    request: `disabled-${version}`,
    requestId,
  })
}
