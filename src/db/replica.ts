// A standby of the database, for reads: whether it may answer, and how far behind it is.
//
// It may answer a request once it has replayed every commit that the primary had when that came.
// So no answer is older than anything that its caller wrote or read before, and lag costs a moment
// of waiting rather than truth. PostgreSQL stays the only judge: the primary says how far its log
// goes, and the standby how far it has come.

import { setTimeout as delay } from 'node:timers/promises'
import { gather } from '../core/gather.ts'
import { SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import type { Database } from './database.ts'

export interface Replica {
  readonly db: Database
  /** True once it has all that the primary had at the call; false if it is not worth the wait. */
  hasCaughtUp(): Promise<boolean>
  /** For people. Rejects if the replica, or the primary, does not answer at once. */
  look(): Promise<ReplicaLook>
  /** Something that it cannot answer now: it rests, and the primary answers. */
  giveRest(why: unknown): void
}

export interface ReplicaLook {
  /** False for the same name in another installation of PostgreSQL. */
  readonly isSameDatabase: boolean
  /** False for a server that takes writes, as a standby that was promoted. */
  readonly isStandby: boolean
  /** False for a standby that follows another server than the primary of now, since a failover. */
  readonly followsPrimary: boolean
  /** The log that it has still to replay. */
  readonly behindBytes: number
}

/** Beside the round trips. A standby in the same data centre is a few milliseconds behind. */
const WORTH_WAITING_MS = 250

/** While it rests, no read waits for it. */
const REST_MS = 5 * SECOND

const LOOK_AGAIN_MS = { first: 1, most: 16 }

const NOT_IN_TIME = new Error(
  `more than ${WORTH_WAITING_MS} ms behind, or no standby of the primary`,
)

/** A copy of the files keeps the identifier that `initdb` made. */
export const IDENTITY = `
  SELECT system_identifier::text AS server, current_database()::text AS database,
    pg_postmaster_start_time()::text AS started
  FROM pg_control_system()`

/**
 * What the primary has on its disk: our commits wait for that, and it sends no more. The first
 * eight letters of the file's name are the timeline: each promotion begins another, and only on
 * the same one do two places in the log compare.
 */
const PLACE = `
  SELECT place::text, left(pg_walfile_name(place), 8) AS timeline
  FROM pg_current_wal_flush_lsn() AS place`

/**
 * The place, the timeline, and the identity of the primary. A standby that was put behind another
 * primary has its timeline from its next checkpoint on.
 */
const FACTS = `
  SELECT server.system_identifier::text = $3 AND current_database() = $4 AS is_same_database,
    pg_is_in_recovery() AS is_standby,
    lpad(upper(to_hex(checkpoint.timeline_id)), 8, '0') = $2 AS follows_primary,
    greatest(0, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()))::float8 AS behind_bytes
  FROM pg_control_system() AS server, pg_control_checkpoint() AS checkpoint`

export function openReplica(
  primary: Pick<Database, 'queryHot'>,
  db: Database,
  onRest: (why: unknown) => void,
): Replica {
  let restsUntilMs = 0
  let identity: readonly unknown[] | undefined

  /** What a replica must hold. No failover changes the identity of the primary. */
  async function goal(): Promise<readonly unknown[]> {
    if (identity === undefined) {
      const [row = {}] = await primary.queryHot('identity', IDENTITY)
      identity = [row.server, row.database]
    }
    const [row = {}] = await primary.queryHot('log-place', PLACE)
    return [row.place, row.timeline, ...identity]
  }

  async function lookFor(place: readonly unknown[]): Promise<ReplicaLook> {
    const [row = {}] = await db.queryHot('replica', FACTS, place)
    return {
      isSameDatabase: row.is_same_database === true,
      isStandby: row.is_standby === true,
      followsPrimary: row.follows_primary === true,
      behindBytes: row.behind_bytes ?? Number.NaN,
    }
  }

  function giveRest(why: unknown): void {
    restsUntilMs = performance.now() + REST_MS
    onRest(why)
  }

  /** Reads of the same moment share it. */
  const catchUp = gather<undefined, boolean>(
    async (reads) => {
      const isThere = performance.now() >= restsUntilMs && (await comesInTime())
      return reads.map(() => isThere)
    },
    { most: Number.POSITIVE_INFINITY, atOnce: 2, isOnesFault: () => false },
  )

  async function comesInTime(): Promise<boolean> {
    try {
      await doneWithin(2 * WORTH_WAITING_MS, come(performance.now() + WORTH_WAITING_MS))
      return true
    } catch (error) {
      giveRest(error)
      return false
    }
  }

  async function come(untilMs: number): Promise<void> {
    const place = await goal()
    for (let waitMs = LOOK_AGAIN_MS.first; ; waitMs = Math.min(2 * waitMs, LOOK_AGAIN_MS.most)) {
      if (mayAnswer(await lookFor(place))) return
      if (performance.now() > untilMs) throw NOT_IN_TIME
      await delay(waitMs)
    }
  }

  return {
    db,
    giveRest,
    hasCaughtUp: () => catchUp(undefined),
    look: () => doneWithin(SECOND, goal().then(lookFor)),
  }
}

function mayAnswer({ behindBytes, ...look }: ReplicaLook): boolean {
  return isStandbyOfPrimary(look) && behindBytes === 0
}

export function isStandbyOfPrimary(
  look: Pick<ReplicaLook, 'isSameDatabase' | 'isStandby' | 'followsPrimary'>,
): boolean {
  return look.isSameDatabase && look.isStandby && look.followsPrimary
}
