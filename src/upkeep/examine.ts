// What the doctor looks at.

import { MINUTE, SECOND } from '../core/time-units.ts'
import { QUEUE_NAMES } from '../queue/catalogue.ts'
import { UnfitStore } from '../queue/engine.ts'
import type { World } from '../world.ts'
import { clockSkewMs, MOST_SKEW_MS } from './check-readiness.ts'
import { examineDeliveries } from './examine-deliveries.ts'

export interface Finding {
  readonly subject: string
  readonly state: 'good' | 'bad'
  readonly says: string
  readonly remedy?: string
}

/** Overdue for longer than a sweep takes to find it, and some more. */
const MOST_OVERDUE_MS = 2 * MINUTE

/** How long the queue store may take to answer a question of ours. */
const PROBE_MS = 5 * SECOND

export async function examine(world: World): Promise<readonly Finding[]> {
  return [
    { subject: 'settings', state: 'good', says: 'all are right' },
    { subject: 'database', state: 'good', says: await databaseVersion(world) },
    await examineClock(world),
    await examineQueues(world),
    await examineOverdue(world),
    await examineParked(world),
    ...(await examineDeliveries(world)),
  ]
}

async function databaseVersion(world: World): Promise<string> {
  const [row] = await world.db.query('SHOW server_version')
  return `PostgreSQL ${row?.server_version}, migrations up to date`
}

async function examineClock(world: World): Promise<Finding> {
  const skewMs = await clockSkewMs(world)
  const subject = 'clock'
  if (skewMs <= MOST_SKEW_MS) return { subject, state: 'good', says: "agrees with the database's" }
  const remedy = 'Synchronise the clocks (NTP): due times are compared between machines.'
  return { subject, state: 'bad', says: `${skewMs} ms off the database's`, remedy }
}

async function examineQueues(world: World): Promise<Finding> {
  const subject = `queues (${world.queues.kind})`
  try {
    await inTime(world.queues.probe())
    const depths = await Promise.all(QUEUE_NAMES.map((name) => depthOf(world, name)))
    return { subject, state: 'good', says: depths.join(', ') }
  } catch (error) {
    const isUnfit = error instanceof UnfitStore
    return {
      subject,
      state: 'bad',
      says: isUnfit ? error.message : 'cannot be reached',
      remedy: isUnfit
        ? 'Set it on the server and in its configuration file.'
        : 'Nothing is lost, the database holds what is owed: start the store, or mend REDIS_URL.',
    }
  }
}

async function depthOf(world: World, name: (typeof QUEUE_NAMES)[number]): Promise<string> {
  const { waiting, active, failed } = await world.queues
    .queue(name)
    .getJobCounts('waiting', 'active', 'failed')
  return `${name} ${waiting} waiting ${active} active ${failed} failed`
}

async function examineOverdue(world: World): Promise<Finding> {
  const before = new Date(world.clock.now().getTime() - MOST_OVERDUE_MS)
  const [row] = await world.db.query(
    `SELECT count(*)::integer AS count, min(due_at)::text AS oldest
     FROM transaction WHERE due_at <= $1`,
    [before],
  )
  const subject = 'overdue payments'
  if (row?.count === 0) return { subject, state: 'good', says: 'none' }
  return {
    subject,
    state: 'bad',
    says: `${row?.count}, the oldest due since ${row?.oldest}`,
    remedy: 'Start workers, or more of them: lamplighter worker.',
  }
}

async function examineParked(world: World): Promise<Finding> {
  const [row] = await world.db.query(
    'SELECT count(*)::integer AS count FROM transaction WHERE parked_at IS NOT NULL',
  )
  const subject = 'parked payments'
  if (row?.count === 0) return { subject, state: 'good', says: 'none' }
  return {
    subject,
    state: 'bad',
    says: `${row?.count} that the gateway could not tell of at their deadline`,
    remedy: "Look each up at the gateway by its transaction's id, and decide.",
  }
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer')), PROBE_MS).unref()
  })
  return Promise.race([promise, late])
}
