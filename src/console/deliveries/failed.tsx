// Deliveries that failed for good are sent again or dismissed: one, all that failed for one reason,
// or all of a channel.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { counted, grouped } from '../../core/counts.ts'
import {
  DELIVERY_CHANNELS,
  type DeliveryChannel,
  PARKED_DELIVERY_REASONS,
  PARKED_REASON_WORDS,
  type ParkedReason,
} from '../../core/delivery.ts'
import { parseInstant } from '../../core/instant.ts'
import { deliveryState, type SeenDelivery } from '../../deliveries/deliveries-anywhere.ts'
import { dismissAll, dismissNamed, retryAll, retryNamed } from '../../deliveries/parked.ts'
import { formOf } from '../../web/forms.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { redirectDone } from '../done.ts'
import { ActionButton, type ButtonKind } from '../parts/action-form.tsx'
import type { Acting } from '../parts/object-page.tsx'
import { StatusWord } from '../parts/shown.tsx'
import { DELIVERIES_PATH, deliveryPath } from '../paths.ts'
import { accountsAsked, pathWith, type QueryParams } from '../query.ts'
import { writeChunkEntry } from '../who.ts'

/** What each reason means, and a possible remedy. */
export const PARKED_REASON_SENTENCES: Readonly<Record<ParkedReason, string>> = {
  refused: 'The provider rejected it for good.',
  opted_out: 'The recipient opted out.',
  out_of_tries: 'Every attempt failed.',
  expired: 'No answer for three days.',
  undelivered: 'The provider accepted it, but could not deliver it.',
  suppressed:
    'The address does not exist, as an earlier delivery showed. A retry helps only after “Send to ' +
    'this address again” on the page of the delivery.',
  sandbox_limit: 'The sandbox account had sent as many messages as it may within a day.',
  no_target: 'The endpoint is disabled or deleted, or what it was about is deleted.',
}

interface OnFailed {
  /** The verb of the audit entry, for one or for several. */
  readonly done: string
  /** The verb of the text for the operator. */
  readonly outcome: string
  readonly runAll: typeof retryAll
  readonly runNamed: typeof retryNamed
  /** Parked for this reason, they cannot be retried all at once. */
  readonly notInBulk?: ParkedReason
  /** If it was none of all. */
  readonly none: string
  /** Why a named one was not changed. */
  readonly refusal: string
}

const RETRY: OnFailed = {
  done: 'tried again',
  outcome: 'queued for retry',
  runAll: retryAll,
  runNamed: retryNamed,
  notInBulk: 'opted_out',
  none: 'None was retried: their endpoint is disabled, or another operator was quicker.',
  refusal:
    'The delivery can’t be retried: its endpoint is disabled, its event is deleted, or it was ' +
    'retried already.',
}

const DISMISS: OnFailed = {
  done: 'dismissed',
  outcome: 'dismissed',
  runAll: dismissAll,
  runNamed: dismissNamed,
  none: 'None was left: another operator was quicker.',
  refusal: 'The delivery was not dismissed: it was retried or dismissed already.',
}

/** The actions of the page of one delivery. */
export const ON_ONE_FAILED = {
  retry: (acting: Acting<OfDelivery>) => actOnOne(acting, RETRY),
  dismiss: (acting: Acting<OfDelivery>) => actOnOne(acting, DISMISS),
} as const

interface OfDelivery {
  readonly row: SeenDelivery
}

async function actOnOne(
  { world, request, form, found: { row } }: Acting<OfDelivery>,
  { done, outcome, runNamed, refusal }: OnFailed,
) {
  const { accountId, channel, id } = row
  const entry = { action: `delivery ${done}`, subject: id, detail: { account: accountId } }
  const count = await runNamed(world, [{ accountId, id }], (own) =>
    writeChunkEntry(own, request, entry),
  )
  const words = count === 0 ? refusal : doneWords(count, outcome)
  if (form.from !== 'list') return words
  return { done: words, path: pathWith(DELIVERIES_PATH, { state: deliveryState(row), channel }) }
}

export function failedDeliveryRoutes(own: FastifyInstance, world: World): void {
  own.post('/deliveries/retry', (_request, reply) => actOnAll(world, reply, RETRY))
  own.post('/deliveries/dismiss', (_request, reply) => actOnAll(world, reply, DISMISS))
}

/** All are changed chunk by chunk, each with its audit entry in the same commit. */
async function actOnAll(
  world: World,
  reply: FastifyReply,
  { done, outcome, runAll, notInBulk, none }: OnFailed,
): Promise<FastifyReply> {
  const { request } = reply
  const { channel: named, reason: why, until: instant = '', team: text } = formOf(request)
  const channel = DELIVERY_CHANNELS.find((one) => one === named)
  const reason = PARKED_DELIVERY_REASONS.find((one) => one === why)
  const until = parseInstant(instant)
  if (channel === undefined || until === undefined || reason !== why) throw incompleteForm()
  if (reason === notInBulk && reason !== undefined) throw incompleteForm()
  const team = text === undefined ? {} : { team: text }
  const { accountIds, fault } = await accountsAsked(world, team)
  if (fault !== undefined) throw incompleteForm()
  const of = { channel, ...(reason === undefined ? {} : { reason }), ...team }
  const count = await runAll(world, { channel, reason, until, accountIds }, (own, count) =>
    writeChunkEntry(own, request, { action: `deliveries ${done}`, detail: { ...of, count } }),
  )
  const path = pathWith(DELIVERIES_PATH, { state: 'failed', channel, ...team })
  return redirectDone(world, reply, path, count === 0 ? none : doneWords(count, outcome))
}

function doneWords(count: number, outcome: string): string {
  return `${counted(count, 'delivery is', 'deliveries are')} ${outcome}.`
}

interface DeliveryButtonProps {
  readonly row: SeenDelivery
  readonly action: keyof typeof ON_ONE_FAILED
  readonly words: string
  readonly kind?: ButtonKind | undefined
  /** The page to return to; that of the delivery by default. */
  readonly from?: 'list'
}

export function DeliveryButton({ row, action, words, kind, from }: DeliveryButtonProps) {
  return (
    <ActionButton to={`${deliveryPath(row)}/${action}`} fields={{ from }} kind={kind}>
      {words}
    </ActionButton>
  )
}

const countReasons = (whose: string) => `
  SELECT reason, count(*)::float8 AS count FROM delivery
  WHERE status = 'parked' AND closed_at IS NULL AND channel = $1::delivery_channel ${whose}
  GROUP BY reason ORDER BY count DESC, reason`

export const COUNT_REASONS = countReasons('')
const COUNT_REASONS_OF = countReasons('AND account_id = ANY($2::uuid[])')

interface ReasonCount {
  readonly reason: ParkedReason
  readonly count: number
}

const MANY_WORDS: Readonly<Record<DeliveryChannel, string>> = {
  email: 'e-mails',
  sms: 'text messages',
  webhook: 'webhooks',
}

/** Its forms are for all deliveries of the list, not for those that were parked later. */
export async function failedByReason(
  world: World,
  channel: DeliveryChannel,
  { team }: QueryParams,
) {
  const { accountIds } = await accountsAsked(world, team === undefined ? {} : { team })
  const until = world.clock.now().toISOString()
  const found =
    accountIds === undefined
      ? await world.db.query(COUNT_REASONS, [channel])
      : await world.db.query(COUNT_REASONS_OF, [channel, accountIds])
  const reasons = found as unknown as readonly ReasonCount[]
  if (reasons.length === 0) return null
  const what = `all failed ${MANY_WORDS[channel]}${team === undefined ? '' : ' of this team'}`
  return (
    <>
      <ActionButton
        to={`${DELIVERIES_PATH}/retry`}
        asks={`Send ${what} again?`}
        fields={{ channel, team, until }}
      >
        Send {what} again
      </ActionButton>
      {reasons.map(({ reason, count }) => (
        <Reason key={reason} {...{ reason, count }} fields={{ channel, reason, team, until }} />
      ))}
    </>
  )
}

interface ReasonProps extends ReasonCount {
  readonly fields: Readonly<Record<string, string | undefined>>
}

function Reason({ reason, count, fields }: ReasonProps) {
  const form = (action: keyof typeof ON_ONE_FAILED, verb: string) => (
    <ActionButton
      to={`${DELIVERIES_PATH}/${action}`}
      asks={`${verb} ${counted(count, 'delivery', 'deliveries')}?`}
      fields={fields}
      kind="plain"
    >
      {verb} all
    </ActionButton>
  )
  return (
    <section class="card row reason" aria-label={PARKED_REASON_WORDS[reason]}>
      <StatusWord status={reason} words={PARKED_REASON_WORDS[reason]} />
      <p>
        <strong class="number">{grouped(count)}</strong> {PARKED_REASON_SENTENCES[reason]}
      </p>
      {reason === 'opted_out' ? null : form('retry', 'Retry')}
      {form('dismiss', 'Dismiss')}
    </section>
  )
}
