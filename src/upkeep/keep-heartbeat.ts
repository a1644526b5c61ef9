// Writes a heartbeat every few seconds: this process lives, with its work in this minute and hour.
// Only the console uses it. So it never throws, and nothing waits for it: if the database is away,
// a heartbeat is left out.

import { hostname } from 'node:os'
import { every } from '../core/every.ts'
import { after, DAY, HOUR, MINUTE, SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import type { ProcessHeartbeat } from '../generated/client.ts'
import { runningVersion } from '../package.ts'
import type { QueueName } from '../queue/catalogue.ts'
import type { World } from '../world.ts'
import { readWork } from './measured-work.ts'
import { SPANS, UnwrittenWork } from './unwritten-work.ts'

export const PROCESS_ROLES = ['start', 'api', 'worker'] as const

export type ProcessRole = (typeof PROCESS_ROLES)[number]

export interface BeatingProcess {
  readonly role: ProcessRole
  readonly queues: readonly QueueName[]
}

export interface Heartbeat {
  /** From now on the process only finishes its running work. */
  drain(): void
  /** Marks the process as ended. It returns soon, whatever the database does. */
  close(): Promise<void>
}

/**
 * A process that vanished keeps its row as long as its work is shown: an ended one has no row, so
 * the console can tell them apart.
 */
const UNSEEN_KEPT_MS = DAY + HOUR

const CLEAR_EVERY_MS = MINUTE

/** An ending process waits at most this long to write that it ends. */
const CLOSE_MS = SECOND

const SAY = `
  INSERT INTO process_pulse
    (id, role, host, pid, version, queues, is_draining, started_at, seen_at, clock_skew_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (id) DO UPDATE
  SET is_draining = excluded.is_draining, seen_at = excluded.seen_at,
    clock_skew_ms = excluded.clock_skew_ms`

/** An earlier process of the same name, as in a restarted container, may have vanished. */
const END = `
  DELETE FROM process_pulse WHERE id = $1 OR host = $2 AND pid = $3 AND seen_at < $4`

export function keepHeartbeat(world: World, { role, queues }: BeatingProcess): Heartbeat {
  const { db, log, clock, timings } = world
  const id = world.newId()
  const host = hostname()
  const about = [id, role, host, process.pid, runningVersion(), queues]
  const unwritten = new UnwrittenWork(id, processNameOf({ host, pid: process.pid }))
  const startedAt = clock.now()
  let isDraining = false
  let clearedAt = startedAt

  async function beat(): Promise<void> {
    const now = clock.now()
    unwritten.add(now, await readWork(world.metrics))
    await db.query(SAY, [...about, isDraining, startedAt, now, skewToSay(world)])
    await unwritten.write(db.query)
    if (now.getTime() - clearedAt.getTime() < CLEAR_EVERY_MS) return
    clearedAt = now
    await clearOld(world, now)
  }

  const beats = every(timings.heartbeatEveryMs, () =>
    beat().catch((err) => log.debug({ err }, 'no heartbeat')),
  )
  void beats.begin()
  return {
    drain() {
      isDraining = true
      void beats.begin()
    },
    async close() {
      const ending = beats.close().then(() => db.query(END, [id, host, process.pid, startedAt]))
      await isDoneWithin(
        CLOSE_MS,
        ending.catch((err) => log.debug({ err }, 'the heartbeat could not be removed')),
      )
    },
  }
}

/** The name of a process on every page. */
export function processNameOf({ host, pid }: Pick<ProcessHeartbeat, 'host' | 'pid'>): string {
  return `${host} · ${pid}`
}

/** Limited to an integer. A larger skew need not be known exactly. */
function skewToSay({ clock }: Pick<World, 'clock'>): number {
  const mostMs = 2 ** 31 - 1
  return Math.max(-mostMs, Math.min(mostMs, clock.skewMs()))
}

/** Deletes the rows of processes that died silently, and old work. */
export async function clearOld({ db }: Pick<World, 'db'>, now: Date): Promise<void> {
  await db.query('DELETE FROM process_pulse WHERE seen_at < $1', [after(now, -UNSEEN_KEPT_MS)])
  for (const { span, keptMs } of SPANS) {
    await db.query('DELETE FROM process_work WHERE span = $1 AND at < $2', [
      span,
      after(now, -keptMs),
    ])
  }
}

/** A heartbeat may be late or left out. A process that misses this many counts as dead. */
const BEATS = 3

/**
 * The living processes of the service: those with a recent heartbeat, by role, and within it the
 * longest-lived first.
 */
export async function listProcesses(world: World): Promise<readonly ProcessHeartbeat[]> {
  return (await world.db.query(PROCESSES, [unseenSince(world)])) as readonly ProcessHeartbeat[]
}

/** The names of the processes that died without ending their heartbeat. */
export async function namesOfVanished(world: World): Promise<ReadonlySet<string>> {
  const rows = await world.db.query(VANISHED, [unseenSince(world)])
  return new Set(rows.map(({ host, pid }) => processNameOf({ host, pid })))
}

function unseenSince({ clock, timings }: World): Date {
  return after(clock.now(), -BEATS * timings.heartbeatEveryMs)
}

const VANISHED = 'SELECT DISTINCT host, pid FROM process_pulse WHERE seen_at <= $1'

/** Read without Prisma, so that the doctor answers soon. */
const PROCESSES = `
  SELECT id, role, host, pid, version, queues, is_draining AS "isDraining",
    clock_skew_ms AS "clockSkewMs", started_at AS "startedAt", seen_at AS "seenAt"
  FROM process_pulse WHERE seen_at > $1 ORDER BY role, started_at, id`
