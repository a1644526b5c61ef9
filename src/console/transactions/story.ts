// The story of one transaction: its events, attempts and actions, each with its instant.

import { isDeepStrictEqual } from 'node:util'
import { counted } from '../../core/counts.ts'
import { PARKED_REASON_WORDS } from '../../core/delivery.ts'
import { ERROR_CATALOGUE, type ErrorCode } from '../../core/errors.ts'
import { secondText } from '../../core/instant.ts'
import { capitalized } from '../../core/sentence.ts'
import { dateText } from '../../core/whole-days.ts'
import { keptMessageOf } from '../../deliveries/deliveries-anywhere.ts'
import type { AuditEntry, Batch, Delivery, Event, Transaction } from '../../generated/client.ts'
import type { KeptRequest } from '../../operators/recent-requests.ts'
import { type Attempt, attemptsOf, attemptWords, isGood } from '../deliveries/attempts.ts'
import { CHANNEL_WORDS, dollarText } from '../parts/shown.tsx'
import { shownJson } from '../parts/shown-json.ts'
import type { TimelineEntry, Tone } from '../parts/timeline.tsx'
import { batchPath, deliveryPath, eventPath, REQUESTS_PATH, transactionPath } from '../paths.ts'
import { pathWith } from '../query.ts'
import { ofDispute, ofReversal } from './afterwards.ts'
import { TYPE_NAMES } from './follow-up.tsx'
import type { TransactionStory } from './read-story.ts'

export function timelineOf(story: TransactionStory): readonly TimelineEntry[] {
  const {
    account,
    row,
    children,
    events,
    deliveries,
    batch,
    entries,
    disputes,
    reversals,
    refusals,
    hasRequest,
  } = story
  const askedFor = (of: Transaction) => entries.find((entry) => requestedId(entry) === of.id)
  const followUps = new Set([row, ...children].map(askedFor))
  // Entries of the same instant keep this order.
  return [
    { ...accepted(row, askedFor(row)), ...(hasRequest ? { link: requestLink(row) } : {}) },
    ...entries.filter((entry) => !followUps.has(entry)).map(ofAuditEntry),
    ...(batch === undefined ? [] : ofBatch(batch)),
    ...events.map((event, i) => ofEvent(event, events[i - 1])),
    ...children.map((child) => ofChild(child, askedFor(child))),
    ...deliveries.flatMap((delivery) => ofDelivery(delivery, events)),
    ...disputes.flatMap(ofDispute),
    ...reversals.map(ofReversal),
    ...refusals.map(ofRefusal),
    ...currentState(row, account),
  ]
}

function accepted(row: Transaction, askedFor: AuditEntry | undefined): TimelineEntry {
  const lines = [
    ...whoAndWhy(askedFor),
    `request ${row.requestId}`,
    ...(row.idempotencyId === null ? [] : [`idempotency key ${row.idempotencyId}`]),
    ...(row.channel === null ? [] : [`channel ${row.channel}`]),
    ...(row.attempt === 0 ? [] : [counted(row.attempt, 'attempt')]),
  ]
  const title = receivedTitle(row)
  return { at: row.createdAt, isOfAccount: true, id: row.id, title, tone: 'plain', lines }
}

/** Its row names the key, which tells two charges of one payer apart. */
function requestLink({ requestId }: Transaction) {
  return { path: pathWith(REQUESTS_PATH, {}, { request: requestId }), words: 'Open the request' }
}

function receivedTitle({ isManual, type }: Transaction): string {
  if (isManual) return 'Recorded by hand'
  const isCharged = type === 'charge' || type === 'pre_auth'
  return isCharged ? 'Payment received, waiting to be charged' : `${TYPE_NAMES[type]} requested`
}

function ofEvent(event: Event, before: Event | undefined): TimelineEntry {
  const changes = snapshotChanges(before?.snapshot, event.snapshot)
  const status = statusOf(event.snapshot)
  const isOutcome = status !== statusOf(before?.snapshot)
  return {
    at: event.createdAt,
    isOfAccount: true,
    id: event.id,
    title: isOutcome ? capitalized(statusWords(status)) : 'Updated',
    tone: isOutcome ? toneOf(status) : 'plain',
    lines: before === undefined ? outcomeLines(event.snapshot) : changes,
    link: { path: eventPath(event), words: 'Open the event' },
    snapshot: shownJson(event.snapshot),
  }
}

function outcomeLines(snapshot: unknown): readonly string[] {
  const { message } = fieldsOf(snapshot)
  return typeof message === 'string' ? [message] : []
}

/** `payment decided: made`, with the operator and the reason. */
export function ofAuditEntry(entry: AuditEntry): TimelineEntry {
  const title = capitalized(entry.action)
  return { at: entry.createdAt, title, tone: 'plain', lines: whoAndWhy(entry) }
}

function whoAndWhy(entry: AuditEntry | undefined): readonly string[] {
  if (entry === undefined) return []
  const { reason } = fieldsOf(entry.detail)
  return [`by ${entry.operator}`, ...(typeof reason === 'string' ? [reason] : [])]
}

/** The capture, void or refund that an operator asked for. */
function requestedId({ detail }: AuditEntry): unknown {
  return fieldsOf(detail).transaction
}

function ofChild(child: Transaction, askedFor: AuditEntry | undefined): TimelineEntry {
  return {
    at: child.createdAt,
    isOfAccount: true,
    id: child.id,
    title: `${TYPE_NAMES[child.type]} of ${dollarText(child.total)} · ${statusWords(child.status)}`,
    tone: toneOf(child.status),
    lines: [...(child.message === null ? [] : [child.message]), ...whoAndWhy(askedFor)],
    link: { path: transactionPath(child), words: 'Open' },
  }
}

/** The delivery when it was queued, and each attempt. */
export function ofDelivery(
  delivery: Delivery,
  events: readonly Event[],
  message = 'Receipt',
): readonly TimelineEntry[] {
  const { channel, recipient, createdAt, status, dueAt, reason, closedAt, subjectId } = delivery
  const what = channel === 'webhook' ? 'Webhook' : `${message} by ${CHANNEL_WORDS[channel]}`
  const lines = [
    channel === 'webhook' ? `to the endpoint ${recipient}` : `to ${recipient}`,
    ...(status === 'pending' && dueAt !== null ? [`due at ${shortTime(dueAt)}`] : []),
    ...(reason === null ? [] : [`failed for good: ${PARKED_REASON_WORDS[reason]}`]),
    ...(closedAt === null ? [] : [`dismissed at ${shortTime(closedAt)}`]),
  ]
  const title =
    channel === 'webhook' ? `${what} queued: ${eventOf(delivery, events)}` : `${what} queued`
  const link = { path: deliveryPath(delivery), words: 'Open the delivery' }
  const queued = { at: createdAt, id: subjectId, title, tone: 'plain' as const, lines, link }
  const isKept = keptMessageOf(delivery) !== undefined
  const attempts = attemptsOf(delivery).map((one) => ({ ...ofAttempt(what, one, isKept), link }))
  return [queued, ...attempts]
}

function eventOf({ subjectId }: Delivery, events: readonly Event[]): string {
  return events.find(({ id }) => id === subjectId)?.type ?? 'an event'
}

/** `POST …/refund` for a path that names the transaction. */
function ofRefusal(refused: KeptRequest): TimelineEntry {
  const { method, path, status, error, message, requestId, subjectId, at } = refused
  const code = error !== null && isErrorCode(error) ? ERROR_CATALOGUE[error] : undefined
  const what = path.split(subjectId ?? path, 2).join('…')
  return {
    at,
    title: `Request refused: ${method} ${what} · ${status} ${error ?? ''}`.trimEnd(),
    tone: status < 500 ? 'wait' : 'bad',
    lines: [
      ...[capitalized(message ?? ''), code?.remedy ?? ''].flatMap(withoutTicks),
      `request ${requestId}`,
    ],
  }
}

/** The catalogue is written for Markdown. */
function withoutTicks(text: string): readonly string[] {
  return text === '' ? [] : [text.replaceAll('`', '')]
}

function isErrorCode(error: string): error is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, error)
}

/** Without a provider, a message is kept in the outbox instead. */
function ofAttempt(what: string, attempt: Attempt, isKept: boolean): TimelineEntry {
  const { at, ms, answer, detail } = attempt
  const good = isKept ? 'wait' : 'good'
  const words = isKept && isGood(attempt) ? 'kept in the outbox, not sent' : attemptWords(attempt)
  return {
    at,
    title: `${what}: ${words}`,
    tone: answer === undefined ? 'plain' : isGood(attempt) ? good : 'bad',
    lines: [
      ...(ms === undefined ? [] : [`after ${ms} ms`]),
      ...(detail === undefined ? [] : [detail]),
    ],
  }
}

function ofBatch(batch: Batch): readonly TimelineEntry[] {
  const { accountId, id, closedAt, depositAt, depositedAt } = batch
  const link = { path: batchPath({ accountId, id }), words: 'Open the batch' }
  const name = `the batch of ${dateText(batch.businessDate)}`
  const lines: readonly string[] = []
  const closed = { title: `Included in ${name}`, tone: 'good' as const, lines, link }
  return [
    ...(closedAt === null ? [] : [{ at: closedAt, isOfAccount: true, ...closed }]),
    ...(depositAt === null ? [] : [deposit(depositAt, depositedAt)]),
  ]
}

function deposit(depositAt: Date, depositedAt: Date | null): TimelineEntry {
  const isThere = depositedAt !== null
  return {
    at: depositedAt ?? depositAt,
    isOfAccount: true,
    title: isThere ? 'Deposit paid' : 'Deposit expected',
    tone: isThere ? 'good' : 'wait',
    lines: [],
  }
}

/** The pending work that it waits for. */
function currentState(
  { parkedAt, dueAt, owed, deadlineAt }: Transaction,
  { clockAt }: TransactionStory['account'],
): readonly TimelineEntry[] {
  const whose = clockAt === null ? '' : ' on the sandbox clock'
  const lines = deadlineAt === null ? [] : [`deadline ${shortTime(deadlineAt)}${whose}`]
  if (parkedAt !== null) {
    const title = 'Needs attention: the gateway did not say what became of it'
    return [{ at: parkedAt, isOfAccount: true, title, tone: 'bad', lines }]
  }
  if (dueAt === null) return []
  const title =
    owed === 'doubt' ? 'In doubt: the gateway is asked again' : 'Waiting to be processed'
  return [{ at: dueAt, title, tone: 'wait', lines }]
}

function toneOf(status: unknown): Tone {
  return status === 'SUCCESS' ? 'good' : status === 'FAILED' ? 'bad' : 'wait'
}

function statusOf(snapshot: unknown): unknown {
  return fieldsOf(snapshot).status
}

function statusWords(status: unknown): string {
  const words = { PENDING: 'pending', SUCCESS: 'succeeded', FAILED: 'failed' }
  return Object.entries(words).find(([name]) => name === status)?.[1] ?? String(status)
}

function shortTime(instant: Date): string {
  return `${secondText(instant)} UTC`
}

/** This changes with every other field. */
const UNTOLD: readonly string[] = ['updated_at']

/** Longer values appear only in the whole snapshot. */
const LONGEST = 60

/**
 * The differences between two snapshots of a resource, a line each: `status: PENDING → SUCCESS`.
 */
export function snapshotChanges(before: unknown, now: unknown): readonly string[] {
  const [old, next] = [fieldsOf(before), fieldsOf(now)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  return names
    .filter((name) => !UNTOLD.includes(name) && !isDeepStrictEqual(old[name], next[name]))
    .map((name) => `${name}: ${shown(old[name])} → ${shown(next[name])}`)
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return String(value.length)
  if (typeof value === 'object') return '…'
  const text = String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function fieldsOf(snapshot: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof snapshot === 'object' && snapshot !== null
  return isObject ? (snapshot as Readonly<Record<string, unknown>>) : {}
}
