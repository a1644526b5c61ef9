// The current state of the service as the page shows it: each figure, in words and with a tone, by
// the name of its place. The page is rendered from it, and the script later puts new figures into
// the same places. So all wording is here and none in the script.

import { isOff } from '../../core/clock-skew.ts'
import { counted, grouped } from '../../core/counts.ts'
import { SECOND } from '../../core/time-units.ts'
import { QUEUE_NAMES } from '../../queue/catalogue.ts'
import {
  type AttentionKind,
  DUE_KINDS,
  DUE_NAMES,
  type DueKind,
  isLate,
  MOST_IN_DOUBT,
} from '../../upkeep/due-by-kind.ts'
import type { QueueNow, ServiceNow } from '../../upkeep/service-now.ts'
import { rateText, secondsText, shareText, spanText } from './wording.ts'

type Tone = '' | 'good' | 'wait' | 'bad' | 'none'

interface Shown {
  readonly text: string
  readonly tone: Tone
}

export type ShownFigures = Readonly<Record<string, Shown>>

/** The states of jobs that have a column. */
export const JOB_STATES = ['waiting', 'active', 'delayed', 'failed'] as const

/** A little delay is normal in a busy service. */
const BEHIND_MS = 15 * SECOND

const ATTENTION_NAMES: Readonly<Record<AttentionKind, readonly [string, string]>> = {
  payment: ['payment', 'payments'],
  schedule: ['schedule', 'schedules'],
  email: ['e-mail', 'e-mails'],
  sms: ['text message', 'text messages'],
  webhook: ['webhook', 'webhooks'],
  endpoint: ['endpoint that takes nothing', 'endpoints that take nothing'],
  dispute: ['dispute to answer', 'disputes to answer'],
}

export function shownNow(service: ServiceNow): ShownFigures {
  return {
    ...tiles(service),
    ...charts(service),
    ...queueCells(service.queues),
    ...dueCells(service),
  }
}

const plain = (text: string): Shown => ({ text, tone: '' })
const toned = (text: string, tone: Tone): Shown => ({ text, tone })

function tiles(service: ServiceNow): ShownFigures {
  const { series, attention, processes } = service
  const charges = (series.approved.at(-1) ?? 0) + (series.declined.at(-1) ?? 0)
  const given = attention.filter(({ count }) => count > 0)
  const parkedCount = given.reduce((all, { count }) => all + count, 0)
  const able = processes.filter(({ isDraining }) => !isDraining)
  const working = able.filter(
    ({ queues, clockSkewMs }) => queues.length > 0 && !isOff(clockSkewMs),
  ).length
  const serving = able.filter(({ role }) => role !== 'worker').length
  const ending = processes.length - able.length
  return {
    at: plain(service.at.toISOString().slice(11, 19)),
    'tile.charges': plain(rateText(charges)),
    'tile.charges.note': plain(`${rateText(series.requests.at(-1) ?? 0)} requests a minute`),
    'tile.success': plain(shareText(latestOf(series.successRate))),
    'tile.p50': plain(secondsText(latestOf(series.p50Seconds))),
    'tile.p99': plain(secondsText(latestOf(series.p99Seconds))),
    ...oldestTile(service),
    'tile.parked': toned(grouped(parkedCount), parkedCount > 0 ? 'bad' : ''),
    'tile.parked.note': plain(
      given.map(({ kind, count }) => counted(count, ...ATTENTION_NAMES[kind])).join(', ') ||
        'nothing to review',
    ),
    'tile.workers': toned(grouped(working), working === 0 ? 'bad' : ''),
    'tile.workers.note': workersNote(service.queues, ending),
    'tile.apis': toned(grouped(serving), serving === 0 ? 'bad' : ''),
  }
}

/** Workers take no jobs of a queue that an operator has paused, and none while the store is away. */
function workersNote(queues: readonly QueueNow[] | undefined, ending: number): Shown {
  if (queues === undefined) return toned('waiting for the queue store', 'bad')
  const paused = queues.filter(({ isPaused }) => isPaused).map(({ queue }) => queue)
  const end = ending === 0 ? '' : `; ${ending} ending`
  if (paused.length === 0) return plain(`taking jobs${end}`)
  return toned(`taking jobs, but ${paused.join(', ')} paused${end}`, 'bad')
}

/** The latest known value: the current minute may have decided nothing yet. */
function latestOf(values: readonly (number | null)[]): number | null {
  return values.at(-1) ?? values.at(-2) ?? null
}

function oldestTile({ at, due }: ServiceNow): ShownFigures {
  const overdue = due.flatMap(({ kind, oldestDueAt }) =>
    oldestDueAt ? [{ kind, oldestDueAt }] : [],
  )
  const [first] = overdue.sort(
    (one, other) => one.oldestDueAt.getTime() - other.oldestDueAt.getTime(),
  )
  if (first === undefined) {
    return { 'tile.overdue': plain('none'), 'tile.overdue.note': plain('nothing is overdue') }
  }
  const ms = Math.max(0, at.getTime() - first.oldestDueAt.getTime())
  return {
    'tile.overdue': toned(spanText(ms), lateness(first.kind, ms)),
    'tile.overdue.note': plain(DUE_NAMES[first.kind][0]),
  }
}

function lateness(kind: DueKind, ms: number): Tone {
  if (isLate(kind, ms)) return 'bad'
  return ms >= BEHIND_MS ? 'wait' : ''
}

function charts({ series, depths }: ServiceNow): ShownFigures {
  const { approved, declined } = series.totals
  const latest = depths.at(-1)
  const highest = Math.max(0, ...depths.map(({ waiting }) => waiting))
  const lowest = Math.min(...series.successRate.filter((share) => share !== null))
  const slowest = Math.max(...series.p99Seconds.filter((seconds) => seconds !== null))
  return {
    'chart.charges': plain(
      `${grouped(approved)} approved and ${grouped(declined)} declined in the last hour`,
    ),
    'chart.success': plain(
      Number.isFinite(lowest)
        ? `at its lowest ${shareText(lowest)} in the last hour`
        : 'no charge was decided in the last hour',
    ),
    'chart.latency': plain(
      Number.isFinite(slowest)
        ? `at its slowest ${secondsText(slowest)} in the last hour`
        : 'no charge was decided in the last hour',
    ),
    'chart.depth': plain(
      latest === undefined
        ? 'not known'
        : `${grouped(latest.waiting)} waiting, at most ${grouped(highest)} while watched`,
    ),
  }
}

function queueCells(queues: readonly QueueNow[] | undefined): ShownFigures {
  const away = 'The queue store cannot be reached. Pending work is safe: it is in the backlog.'
  const cells = QUEUE_NAMES.flatMap((name) => {
    const found = queues?.find(({ queue }) => queue === name)
    return JOB_STATES.map((state) => {
      const count = found?.[state]
      const text = count === undefined ? '–' : grouped(count)
      return [`queue.${name}.${state}`, toned(text, cellTone(state, count))] as const
    })
  })
  const paused = QUEUE_NAMES.map((name) => {
    const isPaused = queues?.find(({ queue }) => queue === name)?.isPaused === true
    return [`queue.${name}.paused`, toned(isPaused ? 'paused' : '', 'wait')] as const
  })
  const notice = toned(queues === undefined ? away : '', 'bad')
  return { 'queues.away': notice, ...Object.fromEntries([...cells, ...paused]) }
}

/** The reason for which due messages are held on purpose. */
function heldText(kind: DueKind, { email, sms }: ServiceNow['paces']): string {
  switch (kind) {
    case 'email':
      return `at most ${grouped(email)} a second`
    case 'sms':
      return `at most ${grouped(sms)} a second`
    case 'webhook':
      return 'endpoints that do not answer rest'
    default:
      return ''
  }
}

/** A payment in doubt is due only now and then, when its gateway is asked again. */
function doubtText(inDoubt: number): string {
  if (inDoubt === 0) return ''
  if (inDoubt > MOST_IN_DOUBT) return `more than ${grouped(MOST_IN_DOUBT)} in doubt in all`
  return `${grouped(inDoubt)} in doubt in all`
}

function cellTone(state: string, count: number | undefined): Tone {
  if (count === undefined || count === 0) return 'none'
  return state === 'failed' ? 'bad' : ''
}

function dueCells({ at, due, inDoubt, paces }: ServiceNow): ShownFigures {
  const cells = DUE_KINDS.flatMap((kind) => {
    const found = due.find((one) => one.kind === kind)
    const { count = 0, oldestDueAt = null } = found ?? {}
    const ms = oldestDueAt === null ? 0 : Math.max(0, at.getTime() - oldestDueAt.getTime())
    const held = ms < BEHIND_MS ? '' : heldText(kind, paces)
    const oldest =
      oldestDueAt === null ? toned('–', 'none') : toned(spanText(ms), lateness(kind, ms))
    return [
      [`due.${kind}.count`, toned(grouped(count), count === 0 ? 'none' : '')],
      [`due.${kind}.oldest`, oldest],
      [`due.${kind}.note`, plain(kind === 'doubt' ? doubtText(inDoubt) : held)],
    ] as const
  })
  return Object.fromEntries(cells)
}
