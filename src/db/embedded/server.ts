// A PostgreSQL server from its start to its end. It is our child, or another process left it
// running.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../core/time-units.ts'
import { withResolvers } from '../../core/with-resolvers.ts'
import { EmbeddedError, remedyOf } from './embedded-error.ts'
import { lockingCommand } from './folder-lock.ts'
import type { Launcher } from './launcher.ts'
import { type Log, openServerLog } from './log-file.ts'
import {
  clearPostmasterFile,
  findPostmaster,
  type Postmaster,
  poll,
  readPostmaster,
  STOP_AT_ONCE,
  STOP_SIGNALS,
  stopServer,
} from './postmaster.ts'
import { endOf, type RunningServer, type WatchedServer, watchForLoss } from './watch-server.ts'

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
  { pid, port }: Postmaster,
  cluster: string,
  logPath: string,
): ServerProcess {
  const running = { pid, cluster, logPath }
  const server = processOf(running, port)
  endOf(running).then(() => {
    // Only the parent learns how a process ended.
    server.end(`process ${pid} ended, by itself or by a signal`)
  })
  watchForLoss(running, server)
  return server
}

/** Undefined if it ended before it was ready. */
async function startOnce(
  launcher: Launcher,
  cluster: string,
  log: Log,
  logPath: string,
): Promise<ServerProcess | undefined> {
  const lock = await lockingCommand(cluster)
  const port = await freePort()
  const settings = [...SETTINGS, `port=${port}`].flatMap((setting) => ['-c', setting])
  const child = launcher.launch(
    'postgres',
    ['-D', cluster, ...settings],
    ['ignore', log.file.fd, log.file.fd],
    lock,
  )
  // The server must not keep a process alive that has no other work.
  child.unref()
  const running = { pid: child.pid ?? 0, cluster, logPath }
  const server = processOf(running, port)
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
    watchForLoss(running, server)
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
  { pid, cluster, logPath }: RunningServer,
  port: number,
): ServerProcess & WatchedServer & { end(detail: string): void } {
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

/** A port that is free now, because PostgreSQL does not accept 0. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
