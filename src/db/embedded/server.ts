// A PostgreSQL server from its start to its end, be it our child or one that another process left
// running.

import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../core/time-units.ts'
import { EmbeddedError } from './embedded-error.ts'
import { codeOf } from './files.ts'
import { freePort } from './free-port.ts'
import type { Launcher } from './launcher.ts'
import { type Log, openLog } from './log-file.ts'
import { poll } from './poll.ts'
import {
  clearPostmasterFile,
  findPostmaster,
  type Postmaster,
  readPostmaster,
} from './postmaster-file.ts'
import { isServerOf } from './processes.ts'

export interface Ending {
  readonly expected: boolean
  readonly detail: string
}

export interface ServerProcess {
  readonly port: number
  readonly gone: Promise<Ending>
  stop(): Promise<void>
}

/** A ready server is seen this soon; a look at the file costs some 50 µs. */
const LOOK_MS = 3

/** After a crash the log is replayed first, at most `max_wal_size` (1 GB) of it, on a slow disk. */
export const START_MS = 5 * MINUTE

/**
 * What spoils one start may be over at the next: another program took the port, or children of a
 * killed server had not ended. What is wrong for good is reported after the last pause.
 */
const PAUSES_MS = [0, 100, 400, SECOND] as const

/** How soon the end of a server that is not our child is noticed. */
const WATCH_MS = 500

/**
 * Fast shutdown ends the sessions and writes all that is in memory to the disk. Where that hangs,
 * immediate shutdown leaves the writing to the next start's replay: nothing committed is lost.
 */
const STOP_SIGNALS = [
  ['SIGINT', 30 * SECOND],
  ['SIGQUIT', 10 * SECOND],
] as const

const SETTINGS = [
  // For this machine only, and by TCP only: a socket's path has a short limit that a deep folder
  // breaks.
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // Two pools a process, a listener for each worker, and a few processes beside one another.
  'max_connections=200',
  // Above ERROR in a log's order: constraint violations are our everyday way to settle races, and
  // quote people's data.
  'log_min_messages=log',
  'log_checkpoints=off',
]

/**
 * The server that runs on the folder, once it is ready; undefined where none does. One that is
 * stopping is awaited.
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
    const log = await openLog(logPath)
    const server = await startOnce(launcher, cluster, log)
    if (server !== undefined) return server
    words = await log.lastWords()
  }
  throw new EmbeddedError(`PostgreSQL failed on ${cluster}: ${words} (see ${logPath})`)
}

/** A server that is not our child. */
export function watchServer(postmaster: Postmaster, cluster: string): ServerProcess {
  const server = processOf(postmaster, cluster)
  watch(postmaster.pid, cluster).then(() => server.end(`process ${postmaster.pid} is gone`))
  return server
}

/** Undefined where it ended before it was ready. */
async function startOnce(
  launcher: Launcher,
  cluster: string,
  log: Log,
): Promise<ServerProcess | undefined> {
  const port = await freePort()
  const settings = [...SETTINGS, `port=${port}`].flatMap((setting) => ['-c', setting])
  const child = launcher.launch(
    'postgres',
    ['-D', cluster, ...settings],
    ['ignore', log.file.fd, log.file.fd],
  )
  // The server must not keep a process alive that has nothing else to do.
  child.unref()
  const server = processOf({ pid: child.pid ?? 0, port }, cluster)
  let ended = false
  const end = (how: string) => {
    ended = true
    log.lastWords().then((words) => server.end(`${how}, its log: ${words}`))
  }
  child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`))
  child.once('error', (error) => end(error.message))
  await log.file.close()

  const outcome = await poll(
    async () => {
      if (ended) return 'ended'
      const found = await readPostmaster(cluster)
      return found?.pid === child.pid && found?.phase === 'ready' ? 'ready' : undefined
    },
    { everyMs: LOOK_MS, withinMs: START_MS },
  )
  if (outcome === 'ready') return server
  if (outcome === undefined) await server.stop()
  return undefined
}

/**
 * What is the same for a child and a stranger's child: its signals, and that its end is told once.
 */
function processOf(
  { pid, port }: Pick<Postmaster, 'pid' | 'port'>,
  cluster: string,
): ServerProcess & { end(detail: string): void } {
  const { promise: gone, resolve } = withResolvers<Ending>()
  let stopping: Promise<void> | undefined
  const end = (detail: string) => resolve({ expected: stopping !== undefined, detail })
  const stop = async () => {
    stopping ??= stopProcess(pid, cluster)
    await stopping
    end('stopped')
  }
  return { port, gone, end, stop }
}

async function stopProcess(pid: number, cluster: string): Promise<void> {
  const isGone = async () => ((await isServerOf(pid, cluster)) ? undefined : true)
  for (const [signal, withinMs] of STOP_SIGNALS) {
    // Looked at first, so that no stranger who got the pid is meant.
    if (await isGone()) return
    send(pid, signal)
    if (await poll(isGone, { everyMs: LOOK_MS, withinMs })) return
  }
  throw new EmbeddedError(
    `the PostgreSQL on ${cluster} (process ${pid}) does not stop: see its log`,
  )
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended between the look and the signal.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

async function watch(pid: number, cluster: string): Promise<void> {
  while (await isServerOf(pid, cluster)) await delay(WATCH_MS, undefined, { ref: false })
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
