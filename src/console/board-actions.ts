// What may be done on the board, and how the audit log calls it.
//
// Jobs are nudges and the rows are the truth, so nothing here can lose or repeat a payment; what is
// allowed is what helps somebody at night. Not allowed is what the board has beside that: jobs made
// up by hand, job data edited to name other rows, and what would quietly outlive the night, since no
// setting of ours would tell of it (other schedules, concurrency, rate limits, queues wiped out
// together with their schedules). What an upgrade of the board brings is not allowed either, until
// it stands in this table.

export interface BoardAction {
  /** For the audit log, in the past. */
  readonly deed: string
  /** The parameter that says more than the queue does, and what the audit log calls it. */
  readonly of?: readonly [parameter: string, name: string]
}

const JOB = ['jobId', 'job'] as const
const STATUS = ['queueStatus', 'status'] as const
const SCHEDULER = ['schedulerId', 'scheduler'] as const

const ACTIONS: Readonly<Record<string, BoardAction>> = {
  'PUT /queues/pause': { deed: 'all queues paused' },
  'PUT /queues/resume': { deed: 'all queues resumed' },
  'PUT /queues/:queueName/pause': { deed: 'queue paused' },
  'PUT /queues/:queueName/resume': { deed: 'queue resumed' },
  'PUT /queues/:queueName/empty': { deed: 'queue emptied' },
  'PUT /queues/:queueName/promote': { deed: 'delayed jobs promoted' },
  'PUT /queues/:queueName/retry/:queueStatus': { deed: 'jobs retried', of: STATUS },
  'PUT /queues/:queueName/clean/:queueStatus': { deed: 'jobs removed', of: STATUS },
  'PUT /queues/:queueName/:jobId/retry': { deed: 'job retried', of: JOB },
  'PUT /queues/:queueName/:jobId/promote': { deed: 'job promoted', of: JOB },
  'PUT /queues/:queueName/:jobId/clean': { deed: 'job removed', of: JOB },
  'PUT /queues/:queueName/job-schedulers/:schedulerId/run': {
    deed: 'scheduler run at once',
    of: SCHEDULER,
  },
}

/** By the method and the route under the board's `/api`. */
export function boardAction(method: string, route: string): BoardAction | undefined {
  const name = `${method} ${route}`
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
}

/** Shown by the board, in a corner. */
export const NOT_ALLOWED =
  'That is not done here: jobs only name rows, and schedules and limits are settled by the code.'
