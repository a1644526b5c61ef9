// The webhook channel: sends events to endpoints in their dialect, and runs the rounds of the job
// `webhook`.

import { noTarget, type SendAnswer } from '../core/delivery.ts'
import { bodyInDialect, type Dialect } from '../core/dialect.ts'
import { isoText } from '../core/iso-text.ts'
import { SECOND } from '../core/time-units.ts'
import type { RowKey } from '../db/columns.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { ChannelAdapter, TimeLimit } from '../deliveries/channel-adapter.ts'
import type { ClaimedDelivery } from '../deliveries/claim-due-deliveries.ts'
import { deliverDue } from '../deliveries/deliver-due.ts'
import type { Post, PostAnswer } from '../outside/endpoint/port.ts'
import { VaultError } from '../outside/vault.ts'
import type { World } from '../world.ts'
import { type Attempted, noteFailure, noteGone, noteSuccess } from './endpoint-health.ts'
import { queueReplays } from './replay-events.ts'
import { openSecret } from './seal-secret.ts'
import { type Secrets, signatures, validPrevious } from './sign.ts'

const AT_ONCE = 256
const AT_ONCE_AN_ENDPOINT = 64

const GONE = 410

export function webhookChannel({ timings }: World): ChannelAdapter {
  return {
    channel: 'webhook',
    atOnce: AT_ONCE,
    atOnceAnEndpoint: AT_ONCE_AN_ENDPOINT,
    timeoutMs: timings.webhookTimeoutMs,
    perSecond: undefined,
    send,
  }
}

async function send(
  world: World,
  delivery: ClaimedDelivery,
  timeLimit: TimeLimit,
): Promise<SendAnswer> {
  const { accountId, subjectId: eventId, lane: webhookId, requestId } = delivery
  const found = await world.db.ask(eventToSend, { accountId, eventId, webhookId })
  const { event, endpoint } = found ?? {}
  if (endpoint === undefined) return noTarget('the endpoint is deleted')
  if (endpoint.isDisabled) return noTarget('the endpoint is disabled')
  if (event === undefined) return noTarget('the event is not kept any more')
  const opened = openSecrets(world, { accountId, id: webhookId }, endpoint)
  if (opened === undefined) return SEALED
  const post = postOf({ accountId, id: eventId }, event, opened, world.clock.now())
  const answer = await world.endpoints.post(post, timeLimit())
  const { targetUrl, failingSince, silences } = endpoint
  const attempted = { accountId, webhookId, requestId, targetUrl, failingSince, silences }
  return answerOf(world, attempted, answer)
}

/** This counts neither as a try of the delivery nor as a failure of the endpoint. */
const SEALED: SendAnswer = {
  kind: 'away',
  detail: 'its signing secret cannot be opened with the keys of this process',
}

/**
 * Undefined if a secret that is still valid cannot be opened. The operator must fix that, or
 * another process that has the key sends the event.
 */
function openSecrets(
  world: World,
  key: RowKey,
  endpoint: NotifiedEndpoint,
): NotifiedEndpoint | undefined {
  const previous = validPrevious(endpoint, world.clock.now())
  try {
    return {
      ...endpoint,
      secret: openSecret(world, key, endpoint.secret),
      previousSecret: previous === null ? null : openSecret(world, key, previous),
    }
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    world.outages.report('events are not sent: secrets of webhooks cannot be opened', { err })
    return undefined
  }
}

/** The id is the event's at every attempt, so that receivers can recognise a repeat. */
function postOf(
  { accountId, id }: RowKey,
  { type, sequence, createdAt, body: snapshot }: NonNullable<EventToSend['event']>,
  endpoint: NotifiedEndpoint,
  now: Date,
): Post {
  const timestamp = Math.floor(now.getTime() / SECOND)
  const isStandard = endpoint.dialect === 'standard'
  const body = isStandard ? snapshot : bodyInDialect(snapshot, accountId)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Lamplighter-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures({ id, timestamp, body }, endpoint, now),
    'event-name': type,
    'event-sequence': String(sequence),
    'event-created-at': isoText(createdAt),
    ...(isStandard ? {} : { 'stax-event-name': type }),
  }
  return { url: endpoint.targetUrl, headers, body }
}

async function answerOf(
  world: World,
  attempted: Attempted,
  answer: PostAnswer,
): Promise<SendAnswer> {
  // This counts neither as a try of the delivery nor as a failure of the endpoint.
  if (answer.kind === 'own_fault') return { kind: 'away', detail: answer.detail }
  if (answer.kind !== 'answered') {
    const { detail } = answer
    const isSilence = answer.kind === 'silent'
    if (await noteFailure(world, attempted, detail, isSilence)) return noTarget(detail)
    // A forbidden address can be corrected by its owner, so the delivery is retried.
    return { kind: isSilence ? 'silent' : 'failed', detail }
  }
  const { status, excerpt, retryAfterMs: waitMs } = answer
  if (status >= 200 && status < 300) {
    await noteSuccess(world, attempted)
    return { kind: 'taken', providerId: null, detail: String(status) }
  }
  const detail = `${status} ${excerpt}`.trim()
  const note = status === GONE ? noteGone : noteFailure
  if (await note(world, attempted, detail)) return noTarget(detail)
  return { kind: 'failed', detail, waitMs }
}

/** Neither a replay that takes long nor one that fails keeps new events from being sent. */
export async function webhookRound(world: World): Promise<number> {
  const sendDue = () => deliverDue(world, webhookChannel(world))
  const replaying = queueReplays(world)
    .then((queued) => (queued > 0 ? sendDue() : 0))
    .catch((err) => ({ err }))
  const sent = await sendDue()
  const replayed = await replaying
  if (typeof replayed === 'object') throw replayed.err
  return sent + replayed
}

interface EventToSend {
  readonly event:
    | {
        readonly type: string
        readonly sequence: number
        readonly createdAt: Date
        /** The text in the row. The standard form is this text, byte by byte. */
        readonly body: string
      }
    | undefined
  readonly endpoint: NotifiedEndpoint | undefined
}

interface NotifiedEndpoint extends Secrets {
  readonly targetUrl: string
  readonly isDisabled: boolean
  readonly dialect: Dialect
  readonly failingSince: Date | null
  readonly silences: number
}

/**
 * The event to send and the endpoint it goes to, read for all deliveries of the moment at once.
 */
export const eventToSend = gatheredStatement({
  name: 'event-to-send',
  columns: { accountId: 'uuid', eventId: 'uuid', webhookId: 'uuid' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, e.type, e.sequence, e.created_at, e.snapshot::text AS body,
      CASE WHEN w.deleted_at IS NULL THEN w.target_url END AS target_url,
      w.secret, w.previous_secret, w.previous_secret_until,
      w.status = 'disabled' AS is_disabled, w.dialect, w.failing_since, w.silences
    FROM input i
    LEFT JOIN event e ON e.account_id = i.account_id AND e.id = i.event_id
    LEFT JOIN webhook w ON w.account_id = i.account_id AND w.id = i.webhook_id`,
  read: (row): EventToSend => ({
    event:
      row.type === null
        ? undefined
        : {
            type: row.type,
            sequence: row.sequence,
            createdAt: row.created_at,
            body: row.body,
          },
    endpoint:
      row.target_url === null
        ? undefined
        : {
            targetUrl: row.target_url,
            secret: row.secret,
            previousSecret: row.previous_secret,
            previousSecretUntil: row.previous_secret_until,
            isDisabled: row.is_disabled,
            dialect: row.dialect,
            failingSince: row.failing_since,
            silences: row.silences,
          },
  }),
  isPatient: true,
})
