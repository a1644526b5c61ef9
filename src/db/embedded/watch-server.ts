// Watches a running server: for its end, for the loss of its data, and for a stuck recovery.

import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../../core/time-units.ts'
import { lastWordsOf } from './log-file.ts'
import { childrenOf, isServerOf, postmasterFile, readPostmaster, titleOf } from './postmaster.ts'

export interface RunningServer {
  readonly pid: number
  readonly cluster: string
  readonly logPath: string
}

export interface WatchedServer {
  readonly isOver: boolean
  /** It runs, but cannot serve any more. */
  lose(detail: string, remedy: string): void
}

/** How soon the end of a server is noticed that is not our child. */
const WATCH_MS = 500

/**
 * How often to check that the data are still there; one check takes a moment. PostgreSQL itself
 * checks once a minute, and until then commits into files that are lost.
 */
const WATCH_DATA_MS = 50

/** How often to check whether the server recovers. */
const WATCH_RECOVERY_MS = SECOND

/** After a crash PostgreSQL takes up to five seconds to end its processes before it recovers. */
const LOOKS_UNTIL_STUCK = 7

/** One of these processes runs in every server that is ready or is about to be. */
const RECOVERS_OR_WRITES = /^postgres: (startup|walwriter)\b/

/** A single check may come while the file is being replaced. */
const LOOKS_UNTIL_LOST = 2

/** Returns when the process has ended. */
export async function endOf({ pid, cluster }: RunningServer): Promise<void> {
  while (await isServerOf(pid, cluster)) await delay(WATCH_MS, undefined, { ref: false })
}

/** Tells the server when it cannot serve any more, although its process runs. */
export function watchForLoss(running: RunningServer, server: WatchedServer): void {
  void watchData(running, server)
  void watchRecovery(running, server)
}

/** A server whose folder was deleted or moved runs on for a while and fails at its reads. */
async function watchData(running: RunningServer, server: WatchedServer): Promise<void> {
  const { cluster } = running
  const isServedThere = watchFile(running)
  for (let misses = 0; misses < LOOKS_UNTIL_LOST; ) {
    await delay(WATCH_DATA_MS, undefined, { ref: false })
    if (server.isOver) return
    misses = (await isServedThere()) ? 0 : misses + 1
  }
  // A server that stops deletes its file before it ends.
  if (!(await isServerOf(running.pid, cluster))) return
  const remedy = 'put them back, or restore a backup there, then start again'
  server.lose(`its data are no longer in ${cluster}`, remedy)
}

/**
 * A server that crashes on a full disk tries to recover and fails for the same reason. PostgreSQL
 * 18 then keeps running, refuses every connection and tries no more, even when there is space
 * again.
 */
async function watchRecovery(running: RunningServer, server: WatchedServer): Promise<void> {
  const { logPath } = running
  const isStuck = watchChildren(running)
  for (let misses = 0; misses < LOOKS_UNTIL_STUCK; ) {
    await delay(WATCH_RECOVERY_MS, undefined, { ref: false })
    if (server.isOver) return
    misses = (await isStuck()) ? misses + 1 : 0
  }
  const words = await lastWordsOf(logPath).catch(() => '')
  const why = words === '' ? '' : `; its log says: ${words}`
  server.lose(`it crashed and does not recover${why}`, `see ${logPath}, then start again`)
}

/**
 * The child that showed that the server works is looked at first: a server has dozens of them, and
 * a title is a file to read.
 */
function watchChildren({ pid, cluster }: RunningServer): () => Promise<boolean> {
  let known: number | undefined

  async function isAnyAtWork(children: readonly number[]): Promise<boolean> {
    for (const child of children) {
      if (!RECOVERS_OR_WRITES.test(await titleOf(child))) continue
      known = child
      return true
    }
    return false
  }

  return async () => {
    try {
      // A server that is asked to stop says so in this file before its processes end.
      const postmaster = await readPostmaster(cluster)
      if (postmaster?.pid !== pid || postmaster.phase !== 'ready') return false
      const children = await childrenOf(pid)
      const knownFirst = [...children].sort((a, b) => Number(b === known) - Number(a === known))
      return children.length > 0 && !(await isAnyAtWork(knownFirst))
    } catch {
      return false
    }
  }
}

/** The file is read again only when another one is in its place: PostgreSQL writes into the same. */
function watchFile({ pid, cluster }: RunningServer): () => Promise<boolean> {
  let known: bigint | undefined
  return async () => {
    try {
      // It takes microseconds. A trip to Node's pool would wake a thread and then this one again.
      const found = statSync(postmasterFile(cluster), { bigint: true, throwIfNoEntry: false })
      if (found !== undefined && found.ino === known) return true
      const isOurs = (await readPostmaster(cluster))?.pid === pid
      known = isOurs ? found?.ino : undefined
      return isOurs
    } catch {
      // A file system that does not answer has not lost anything yet.
      return true
    }
  }
}
