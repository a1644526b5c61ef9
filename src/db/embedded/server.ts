// A PostgreSQL server from its start to its end. It is our child, or another process left it
// running.

import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../core/time-units.ts'
import { withResolvers } from '../../core/with-resolvers.ts'
import { EmbeddedError, remedyOf } from './embedded-error.ts'
import { unlessMissing } from './files.ts'
import type { Launcher } from './launcher.ts'
import { type Log, lastWordsOf, openServerLog } from './log-file.ts'
import {
  childrenOf,
  clearPostmasterFile,
  findPostmaster,
  isServerOf,
  type Postmaster,
  poll,
  postmasterFile,
  readPostmaster,
  STOP_AT_ONCE,
  STOP_SIGNALS,
  stopServer,
  titleOf,
} from './postmaster.ts'

export interface ServerExit {
  readonly expected: boolean
  readonly detail: string
  /** The operator's next step. */
  readonly remedy: string
}

export interface ServerProcess {
  readonly port: number
  /** Resolves when the process has ended, or when its data are no longer at their path. */
  readonly gone: Promise<ServerExit>
  stop(): Promise<void>
}

/** A ready server is noticed this soon. One look at the file costs about 50 µs. */
const LOOK_MS = 3

/**
 * After a crash the server first replays its log, up to `max_wal_size` (1 GB), perhaps on a slow
 * disk.
 */
export const START_MS = 5 * MINUTE

/**
 * The reason for a failed start may be gone at the next one: another program took the port, or
 * children of a killed server had not ended. A permanent failure is reported after the last pause.
 */
const PAUSES_MS = [0, 100, 400, SECOND] as const

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

const SETTINGS = [
  // Only this machine may connect, and only by TCP: a socket's path has a length limit that a deep
  // folder exceeds.
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // Two pools for each process, a listener for each worker, and several processes at once.
  'max_connections=200',
  // Above ERROR in the log's order. Constraint violations are the normal way to settle races, and
  // quote people's data.
  'log_min_messages=log',
  'log_checkpoints=off',
]

/**
 * The server that runs on the folder, once it is ready. Undefined if there is none. Waits for the
 * end of one that is stopping.
 */
export async function findServer(cluster: string): Promise<Postmaster | undefined> {
  const found = await poll(
    async () => {
      const postmaster = await findPostmaster(cluster)
      return postmaster === undefined || postmaster.phase === 'ready' ? { postmaster } : undefined
    },
    { everyMs: LOOK_MS, withinMs: START_MS },
  )
  if (found !== undefined) return found.postmaster
  throw new EmbeddedError(`the PostgreSQL on ${cluster} neither starts nor stops: see its log`)
}

export async function startServer(
  launcher: Launcher,
  cluster: string,
  logPath: string,
): Promise<ServerProcess> {
  let words = ''
  for (const pauseMs of PAUSES_MS) {
    await delay(pauseMs)
    await clearPostmasterFile(cluster)
    const log = await openServerLog(logPath)
    const server = await startOnce(launcher, cluster, log, logPath)
    if (server !== undefined) return server
    words = await log.lastWords()
  }
  throw new EmbeddedError(
    `PostgreSQL failed on ${cluster}: ${words} (see ${logPath})${remedyOf(words)}`,
  )
}

/** Watches a server that is not our child. */
export function watchServer(
  postmaster: Postmaster,
  cluster: string,
  logPath: string,
): ServerProcess {
  const server = processOf(postmaster, cluster, logPath)
  watch(postmaster.pid, cluster).then(() => {
    // Only the parent learns how a process ended.
    server.end(`process ${postmaster.pid} ended, by itself or by a signal`)
  })
  void watchData(server, postmaster.pid, cluster)
  void watchRecovery(server, postmaster.pid, cluster, logPath)
  return server
}

/** Undefined if it ended before it was ready. */
async function startOnce(
  launcher: Launcher,
  cluster: string,
  log: Log,
  logPath: string,
): Promise<ServerProcess | undefined> {
  const port = await freePort()
  const settings = [...SETTINGS, `port=${port}`].flatMap((setting) => ['-c', setting])
  const child = launcher.launch(
    'postgres',
    ['-D', cluster, ...settings],
    ['ignore', log.file.fd, log.file.fd],
  )
  // The server must not keep a process alive that has no other work.
  child.unref()
  const pid = child.pid ?? 0
  const server = processOf({ pid, port }, cluster, logPath)
  let ended = false
  child.once('exit', async (code, signal) => {
    ended = true
    server.end(await endingOf(code, signal, log))
  })
  child.once('error', (error) => {
    ended = true
    server.end(error.message)
  })
  await log.file.close()

  const outcome = await poll(
    async () => {
      if (ended) return 'ended'
      const found = await readPostmaster(cluster)
      return found?.pid === child.pid && found?.phase === 'ready' ? 'ready' : undefined
    },
    { everyMs: LOOK_MS, withinMs: START_MS },
  )
  if (outcome === 'ready') {
    void watchData(server, pid, cluster)
    void watchRecovery(server, pid, cluster, logPath)
    return server
  }
  if (outcome === undefined) await server.stop()
  return undefined
}

/**
 * A killed server cannot log the reason. The errors in its log are older, or come from its
 * children.
 */
async function endingOf(
  code: number | null,
  signal: NodeJS.Signals | null,
  log: Log,
): Promise<string> {
  if (signal === 'SIGKILL') return 'it was killed (SIGKILL), by hand or for want of memory'
  const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
  const words = await log.lastWords().catch(() => '')
  return words === '' ? `it ${how}` : `it ${how}; its log says: ${words}`
}

/**
 * The common part of our child and another process's child: their signals, and that their end is
 * reported once.
 */
function processOf(
  { pid, port }: Pick<Postmaster, 'pid' | 'port'>,
  cluster: string,
  logPath: string,
): WatchedServer {
  const { promise: gone, resolve } = withResolvers<ServerExit>()
  let stopping: Promise<void> | undefined
  let isLost = false
  let isOver = false
  const resolveOnce = (detail: string, remedy: string) => {
    isOver = true
    resolve({ expected: stopping !== undefined, detail, remedy })
  }
  const end = (detail: string) => resolveOnce(detail, `see ${logPath}, then start again`)
  return {
    port,
    gone,
    get isOver() {
      return isOver
    },
    end,
    lose(detail, remedy) {
      isLost = true
      resolveOnce(detail, remedy)
    },
    async stop() {
      stopping ??= stopServer(pid, cluster, isLost ? STOP_AT_ONCE : STOP_SIGNALS)
      await stopping
      end('stopped')
    },
  }
}

interface WatchedServer extends ServerProcess {
  readonly isOver: boolean
  end(detail: string): void
  /** It runs, but cannot serve any more. */
  lose(detail: string, remedy: string): void
}

async function watch(pid: number, cluster: string): Promise<void> {
  while (await isServerOf(pid, cluster)) await delay(WATCH_MS, undefined, { ref: false })
}

/** A server whose folder was deleted or moved runs on for a while and fails at its reads. */
async function watchData(server: WatchedServer, pid: number, cluster: string): Promise<void> {
  const isServedThere = watchFile(pid, cluster)
  for (let misses = 0; misses < LOOKS_UNTIL_LOST; ) {
    await delay(WATCH_DATA_MS, undefined, { ref: false })
    if (server.isOver) return
    misses = (await isServedThere()) ? 0 : misses + 1
  }
  // A server that stops deletes its file before it ends.
  if (!(await isServerOf(pid, cluster))) return
  const remedy = 'put them back, or restore a backup there, then start again'
  server.lose(`its data are no longer in ${cluster}`, remedy)
}

/**
 * A server that crashes on a full disk tries to recover and fails for the same reason. PostgreSQL
 * 18 then keeps running, refuses every connection and tries no more, even when there is space
 * again.
 */
async function watchRecovery(
  server: WatchedServer,
  pid: number,
  cluster: string,
  logPath: string,
): Promise<void> {
  const isStuck = watchChildren(pid, cluster)
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
function watchChildren(pid: number, cluster: string): () => Promise<boolean> {
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
function watchFile(pid: number, cluster: string): () => Promise<boolean> {
  let known: bigint | undefined
  return async () => {
    try {
      const found = await unlessMissing(stat(postmasterFile(cluster), { bigint: true }))
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

/** A port that is free now, because PostgreSQL does not accept 0. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
