// Every job there is. A queue, its job, the action and the word in the log have one name; workers/
// must hold a worker for each, or it does not compile.

import { DAY, HOUR, SECOND } from '../core/time-units.ts'

/**
 * Names a row that owes something. Nothing else travels through a queue: the row says what, and
 * when.
 */
export interface RowItem {
  readonly accountId: string
  readonly id: string
  readonly requestId: string
  /** The intake that somebody waits at, if somebody does. */
  readonly replyTo?: string | undefined
  /** What nudged it, as W3C `traceparent`, where that is traced. */
  readonly trace?: string | undefined
}

/**
 * What a job holds: rows that were nudged at the same moment, or nothing, where the job is a round
 * over all that is due.
 */
export interface JobData {
  readonly items: readonly RowItem[]
}

export interface JobKind {
  readonly carries: 'rows' | 'nothing'
  /**
   * How many rows nudged at the same moment share a job, at most: one trip through the queue
   * instead of many.
   */
  readonly rowsAJob: number
  readonly tries: number
  /** The wait before the second try; it doubles from there. */
  readonly firstWaitMs: number
  /** How long what is finished can be looked at. */
  readonly keepDone: Keep
  readonly keepFailed: Keep
  /** Jobs at once in each worker process. Those that wait for a gateway cost next to nothing. */
  readonly atOnce: number
  /** What makes it come round by itself: an interval, or the cutoffs of the accounts. */
  readonly comesRound?: 'each sweep' | 'each minute' | 'each hour' | 'at the cutoffs'
}

interface Keep {
  readonly ageMs: number
  readonly most: number
}

/**
 * Tries of a job are for what broke on our side. What the gateway left open comes back by the row's
 * own due time.
 */
const OURS: Pick<JobKind, 'tries' | 'firstWaitMs'> = {
  tries: 5,
  firstWaitMs: SECOND,
}

const KEPT: Pick<JobKind, 'keepDone' | 'keepFailed'> = {
  // Enough to see on the board what just happened; the rows are the record.
  keepDone: { ageMs: HOUR, most: 100 },
  // From a Friday evening to the end of the week after.
  keepFailed: { ageMs: 14 * DAY, most: 10_000 },
}

/** The next round makes up for one that failed. */
const ROUND = { tries: 1 } as const
const EACH_SWEEP = { ...ROUND, comesRound: 'each sweep' } as const
const EACH_MINUTE = { ...ROUND, comesRound: 'each minute' } as const
const EACH_HOUR = { ...ROUND, comesRound: 'each hour' } as const
const AT_CUTOFFS = { comesRound: 'at the cutoffs' } as const

export const QUEUE_CATALOGUE = {
  /** Make a charge or a pre_auth, capture one. */
  charge: { carries: 'rows', rowsAJob: 16, atOnce: 256, ...OURS, ...KEPT },
  /** Void or refund. */
  refund: { carries: 'rows', rowsAJob: 16, atOnce: 256, ...OURS, ...KEPT },
  /** Ask what became of a payment without an answer. */
  doubt: { carries: 'rows', rowsAJob: 16, atOnce: 64, ...OURS, ...KEPT },
  /** Close a batch, announce its deposit. Its rounds find batches whose cutoff has come. */
  settlement: { carries: 'rows', rowsAJob: 1, atOnce: 2, ...OURS, ...KEPT, ...AT_CUTOFFS },
  /** Tell the gateway of an account's closed batches. A silent one is waited for, at little cost. */
  tell_gateway: { carries: 'rows', rowsAJob: 1, atOnce: 64, ...OURS, ...KEPT },
  /** Run the schedules that are due, try failed payments of their invoices again. */
  schedules: { carries: 'nothing', rowsAJob: 0, atOnce: 1, ...OURS, ...KEPT, ...EACH_MINUTE },
  /** Send what is due by e-mail: receipts, bills, and what a team must be told. */
  email: { carries: 'nothing', rowsAJob: 0, atOnce: 4, ...OURS, ...KEPT },
  /** The same by text message. */
  sms: { carries: 'nothing', rowsAJob: 0, atOnce: 4, ...OURS, ...KEPT },
  /** Tell the endpoints of merchants what has happened. */
  webhook: { carries: 'nothing', rowsAJob: 0, atOnce: 4, ...OURS, ...KEPT },
  /** Forget what is old enough. */
  retention: { carries: 'nothing', rowsAJob: 0, atOnce: 1, ...OURS, ...KEPT, ...EACH_HOUR },
  /** Advance the clock of a sandbox account. */
  clock: { carries: 'rows', rowsAJob: 1, atOnce: 2, ...OURS, ...KEPT },
  /** Nudge what is overdue. */
  sweep: { carries: 'nothing', rowsAJob: 0, atOnce: 1, ...OURS, ...KEPT, ...EACH_SWEEP },
} as const satisfies Record<string, JobKind>

export type QueueName = keyof typeof QUEUE_CATALOGUE

export const QUEUE_NAMES = Object.keys(QUEUE_CATALOGUE) as readonly QueueName[]

export function jobKind(queue: QueueName): JobKind {
  return QUEUE_CATALOGUE[queue]
}
