// Kills workers while they close a batch, and run schedules.

import { setTimeout as delay } from 'node:timers/promises'
import type { Deployment } from '../chaos/deployment.ts'
import type { Processes } from '../chaos/processes.ts'

/** After this many kills the remaining work may finish. */
const MOST_KILLS = 6

/** The hits of either kind: a long closing must not take all of the kills. */
const ENOUGH_HITS = 3

const LOOK_MS = 5

/** The progress of both: the batch that fell due last, and the schedules. */
interface Sight {
  readonly status: 'open' | 'closing' | 'closed'
  /** The events of its transactions so far, and their final number. */
  readonly written: number
  readonly count: number
  readonly due: number
}

const LOOK = `
  SELECT b.status, (SELECT count(*)::integer FROM schedule WHERE due_at <= $1) AS due,
    coalesce(b.events_written, 0) AS written, b.count
  FROM batch b WHERE b.cutoff_at <= $1 ORDER BY b.business_date DESC LIMIT 1`

async function look({ client }: Deployment): Promise<Sight> {
  return (await client.query(LOOK, [new Date()])).rows[0]
}

const isMidClosing = ({ status, written, count }: Sight) =>
  status === 'closing' || (written > 0 && written < count)

/**
 * Kills whenever either has made progress; counts the work that was half done when all were dead.
 */
export async function killInTheMiddle(
  deployment: Deployment,
  processes: Processes,
  schedules: number,
) {
  const isMidRun = ({ due }: Sight) => due > 0 && due < schedules
  const hits = { closing: 0, running: 0 }
  let last = await look(deployment)
  for (let kills = 0; kills < MOST_KILLS; await delay(LOOK_MS)) {
    const now = await look(deployment)
    if (now.status === 'closed' && now.written === now.count && now.due === 0) break
    const hasCome = now.written > last.written || now.due < last.due
    const isClosing = isMidClosing(now) && hits.closing < ENOUGH_HITS
    const isRunning = isMidRun(now) && hits.running < ENOUGH_HITS
    if (!hasCome || !(isClosing || isRunning)) continue
    await killAll(processes)
    kills += 1
    if (kills % 2 === 0) await deployment.stores.flush('everything')
    last = await look(deployment)
    if (isMidClosing(last)) hits.closing += 1
    if (isMidRun(last)) hits.running += 1
  }
  return hits
}

export async function killAll({ workers }: Processes): Promise<void> {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
}
