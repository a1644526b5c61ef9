// One transaction's story: what happened to it, each with its instant, in the order in which it
// happened.

import { dateText } from '../../core/whole-days.ts'
import type { Batch, Deed, Delivery, Event, Transaction } from '../../generated/client.ts'
import type { Moment, Tone } from '../parts/timeline.tsx'
import type { Told } from './read-story.ts'
import { changesOf } from './snapshot-changes.ts'

export function storyOf(told: Told): readonly Moment[] {
  const { row, children, events, deliveries, batch, deeds } = told
  const moments = [
    accepted(row),
    ...deeds.map(ofDeed),
    ...events.map((event, i) => ofEvent(event, events[i - 1])),
    ...children.map(ofChild),
    ...deliveries.flatMap((delivery) => ofDelivery(delivery, events)),
    ...(batch === undefined ? [] : ofBatch(batch)),
    ...standing(row),
  ]
  // Of the same moment, in the order above.
  return moments.toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

function accepted(row: Transaction): Moment {
  const lines = [
    `by request ${row.requestId}`,
    ...(row.idempotencyId === null ? [] : [`with the idempotency key ${row.idempotencyId}`]),
    ...(row.channel === null ? [] : [`through the channel ${row.channel}`]),
    ...(row.attempt === 0 ? [] : [`taken by a worker ${times(row.attempt)}`]),
  ]
  const title = row.isManual ? 'Recorded by hand' : 'Accepted, and owed from then on'
  return { at: row.createdAt, title, tone: 'plain', lines }
}

function ofEvent(event: Event, before: Event | undefined): Moment {
  const changes = changesOf(before?.snapshot, event.snapshot)
  const status = statusOf(event.snapshot)
  const isOutcome = status !== statusOf(before?.snapshot)
  return {
    at: event.createdAt,
    title: isOutcome ? `Told as ${status}` : 'Changed, and told',
    tone: isOutcome ? toneOf(status) : 'plain',
    lines: before === undefined ? outcomeLines(event.snapshot) : changes,
    snapshot: JSON.stringify(event.snapshot, null, 2),
  }
}

function outcomeLines(snapshot: unknown): readonly string[] {
  const { message } = fieldsOf(snapshot)
  return typeof message === 'string' ? [message] : []
}

/** `payment decided: made`, by whom, and why. */
function ofDeed({ createdAt, operator, deed, detail }: Deed): Moment {
  const { reason } = fieldsOf(detail)
  const title = `${deed.charAt(0).toUpperCase()}${deed.slice(1)}`
  const lines = [`by ${operator}`, ...(typeof reason === 'string' ? [reason] : [])]
  return { at: createdAt, title, tone: 'plain', lines }
}

function ofChild(child: Transaction): Moment {
  return {
    at: child.createdAt,
    title: `${NAMES[child.type]} asked for`,
    tone: toneOf(child.status),
    lines: [`it is ${child.status}`, ...(child.message === null ? [] : [child.message])],
    link: { path: `/admin/transactions/${child.accountId}/${child.id}`, words: 'Open it' },
  }
}

const NAMES: Readonly<Record<Transaction['type'], string>> = {
  charge: 'A charge',
  pre_auth: 'A pre_auth',
  capture: 'A capture',
  void: 'A void',
  refund: 'A refund',
  credit: 'A credit',
}

/** Owed, then each attempt. */
function ofDelivery(delivery: Delivery, events: readonly Event[]): readonly Moment[] {
  const { channel, recipient, createdAt, status, dueAt, reason, closedAt } = delivery
  const what =
    channel === 'webhook' ? webhookName(delivery, events) : `A receipt by ${CHANNELS[channel]}`
  const lines = [
    channel === 'webhook' ? `to the endpoint ${recipient}` : `to ${recipient}`,
    ...(status === 'pending' && dueAt !== null ? [`due at ${shortTime(dueAt)}`] : []),
    ...(status === 'parked' ? [`given up: ${reason}`] : []),
    ...(closedAt === null ? [] : [`seen to by a person at ${shortTime(closedAt)}`]),
  ]
  const owed: Moment = { at: createdAt, title: `${what} owed`, tone: 'plain', lines }
  return [owed, ...attemptsOf(delivery).map((entry) => ofAttempt(what, entry))]
}

const CHANNELS = { email: 'e-mail', sms: 'SMS', webhook: 'webhook' } as const

function webhookName({ subjectId }: Delivery, events: readonly Event[]): string {
  const event = events.find(({ id }) => id === subjectId)
  return `A webhook of ${event?.type ?? 'an event'} (${event?.sequence ?? '?'})`
}

interface Attempt {
  readonly at?: unknown
  readonly ms?: unknown
  readonly answer?: unknown
  readonly by?: unknown
  readonly detail?: unknown
}

function attemptsOf({ history }: Delivery): readonly Attempt[] {
  return Array.isArray(history) ? (history as readonly Attempt[]) : []
}

function ofAttempt(what: string, { at, ms, answer, by, detail }: Attempt): Moment {
  const became = answer === undefined ? `by the ${by}` : String(answer)
  return {
    at: new Date(String(at)),
    title: `${what}: ${became}`,
    tone:
      answer === undefined
        ? 'plain'
        : answer === 'taken' || answer === 'delivered'
          ? 'good'
          : 'bad',
    lines: [
      ...(typeof ms === 'number' ? [`after ${ms} ms`] : []),
      ...(typeof detail === 'string' && detail !== '' ? [detail] : []),
    ],
  }
}

function ofBatch(batch: Batch): readonly Moment[] {
  const { accountId, id, closedAt, toldAt, depositAt, depositedAt } = batch
  const link = { path: `/admin/batches/${accountId}/${id}`, words: 'Open the batch' }
  const name = `the batch of ${dateText(batch.businessDate)}`
  const lines: readonly string[] = []
  return [
    ...(closedAt === null
      ? []
      : [{ at: closedAt, title: `Taken by ${name}`, tone: 'good' as const, lines, link }]),
    ...(toldAt === null
      ? []
      : [{ at: toldAt, title: `The gateway was told of ${name}`, tone: 'plain' as const, lines }]),
    ...(depositAt === null ? [] : [deposit(depositAt, depositedAt)]),
  ]
}

function deposit(depositAt: Date, depositedAt: Date | null): Moment {
  const isThere = depositedAt !== null
  return {
    at: depositedAt ?? depositAt,
    title: isThere ? 'The deposit was told of' : 'The deposit is expected',
    tone: isThere ? 'good' : 'wait',
    lines: [],
  }
}

/** What it waits for now. */
function standing({ parkedAt, dueAt, owed, deadlineAt }: Transaction): readonly Moment[] {
  const lines = deadlineAt === null ? [] : [`to be decided by ${shortTime(deadlineAt)}`]
  if (parkedAt !== null) {
    const title = 'Parked: the gateway could not tell, a person must decide'
    return [{ at: parkedAt, title, tone: 'bad', lines }]
  }
  if (dueAt === null) return []
  const title = owed === 'doubt' ? 'In doubt: the gateway is asked next' : 'Owed: it is made next'
  return [{ at: dueAt, title, tone: 'wait', lines }]
}

function toneOf(status: unknown): Tone {
  return status === 'SUCCESS' ? 'good' : status === 'FAILED' ? 'bad' : 'wait'
}

function statusOf(snapshot: unknown): unknown {
  return fieldsOf(snapshot).status
}

function fieldsOf(snapshot: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof snapshot === 'object' && snapshot !== null
  return isObject ? (snapshot as Readonly<Record<string, unknown>>) : {}
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function shortTime(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
