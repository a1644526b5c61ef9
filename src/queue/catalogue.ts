// The list of all jobs. A queue, its job and its word in the log have one name; workers/index.ts
// says which action it runs, and does not compile without one.

/**
 * Names a row with pending work. A job carries nothing else: the row itself says what is due, and
 * when.
 */
export interface RowItem {
  readonly accountId: string
  readonly id: string
  readonly requestId: string
  /** The address of the API server whose caller waits for the result, if any. */
  readonly replyTo?: string | undefined
  /** The trace of the nudge, as W3C `traceparent`, if it is traced. */
  readonly trace?: string | undefined
}

/**
 * The contents of a job: rows that were nudged at the same moment. Empty if the job is a round over
 * all due rows.
 */
export interface JobData {
  readonly items: readonly RowItem[]
}

export interface JobKind {
  readonly carries: 'rows' | 'nothing'
  /**
   * The most rows of the same moment that share a job: one trip through the queue instead of many.
   * One if absent.
   */
  readonly rowsAJob?: number
  /** Five if absent. */
  readonly tries?: number
  /** Jobs at once in each worker process. Jobs that wait for a gateway cost almost nothing. */
  readonly atOnce: number
  /** The trigger of its recurring job: an interval, or the cutoffs of the accounts. */
  readonly repeats?: 'each sweep' | 'each minute' | 'each hour' | 'at the cutoffs'
}

/** The next round makes up for one that failed. */
const ROUND = { tries: 1 } as const

export const QUEUE_CATALOGUE = {
  /** Makes a charge or a pre_auth, or captures one. */
  charge: { carries: 'rows', rowsAJob: 16, atOnce: 256 },
  /** Makes a void or a refund. */
  refund: { carries: 'rows', rowsAJob: 16, atOnce: 256 },
  /** Asks the gateway what became of a payment without an answer. */
  doubt: { carries: 'rows', rowsAJob: 16, atOnce: 64 },
  /** Closes a batch and announces its deposit. Its rounds find batches whose cutoff has passed. */
  settlement: { carries: 'rows', atOnce: 2, repeats: 'at the cutoffs' },
  /** Reads what happened at gateways after the end of payments. */
  gateway_feed: { carries: 'nothing', atOnce: 4, ...ROUND, repeats: 'each minute' },
  /** Runs due schedules, and retries failed payments of their invoices. */
  schedules: { carries: 'nothing', atOnce: 1, ...ROUND, repeats: 'each minute' },
  /** Sends due e-mails: receipts, bills, and notices to teams. */
  email: { carries: 'nothing', atOnce: 4 },
  /** Sends due text messages. */
  sms: { carries: 'nothing', atOnce: 4 },
  /** Sends due events to the endpoints of merchants. */
  webhook: { carries: 'nothing', atOnce: 4 },
  /** Deletes old rows. */
  retention: { carries: 'nothing', atOnce: 1, ...ROUND, repeats: 'each hour' },
  /** Advances the clock of a sandbox account. */
  clock: { carries: 'rows', atOnce: 2 },
  /** Nudges overdue rows. */
  sweep: { carries: 'nothing', atOnce: 1, ...ROUND, repeats: 'each sweep' },
} as const satisfies Record<string, JobKind>

export type QueueName = keyof typeof QUEUE_CATALOGUE

export const QUEUE_NAMES = Object.keys(QUEUE_CATALOGUE) as readonly QueueName[]

export function jobKind(queue: QueueName): JobKind {
  return QUEUE_CATALOGUE[queue]
}
