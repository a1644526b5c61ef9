// The recent work of the service's processes, by process and queue. A process that has ended since
// then is included.

import { after, HOUR } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { QueueWork } from './measured-work.ts'
import type { WorkSpan } from './unwritten-work.ts'

export interface ProcessWork extends QueueWork {
  readonly process: string
  readonly queue: string
}

/** Enough for fifty processes that run all queues. */
const MOST_SHOWN = 500

/** Named as in `ProcessWork`. */
const WORK = `
  SELECT process, queue,
    sum((work->>'rows')::integer)::integer AS rows,
    sum((work->>'failed')::integer)::integer AS failed,
    sum((work->>'jobs')::integer)::integer AS jobs,
    sum((work->>'runSeconds')::float8) AS "runSeconds",
    sum((work->>'waitSeconds')::float8) AS "waitSeconds"
  FROM process_work, jsonb_each(queues) AS of_queue(queue, work)
  WHERE span = $1 AND at > $2
  GROUP BY process, queue
  ORDER BY process, queue
  LIMIT ${MOST_SHOWN}`

export async function workOfProcesses(
  { db, clock }: Pick<World, 'db' | 'clock'>,
  lastMs: number,
): Promise<readonly ProcessWork[]> {
  const span: WorkSpan = lastMs > HOUR ? 'hour' : 'minute'
  const rows = await db.query(WORK, [span, after(clock.now(), -lastMs)])
  return rows as readonly ProcessWork[]
}

/** The work of several processes, or of several queues, together. */
export function addedUp(works: readonly QueueWork[]): QueueWork {
  const sum = (of: keyof QueueWork) => works.reduce((all, one) => all + one[of], 0)
  return {
    rows: sum('rows'),
    failed: sum('failed'),
    jobs: sum('jobs'),
    runSeconds: sum('runSeconds'),
    waitSeconds: sum('waitSeconds'),
  }
}
