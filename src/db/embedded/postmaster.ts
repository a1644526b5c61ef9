// What the system and `postmaster.pid` say about a running PostgreSQL, and how it is stopped. A pid
// is used again after its process has ended, and the file outlives a server that was killed: it is
// believed only if its process lives and was started on this very folder.

import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SECOND } from '../../core/time-units.ts'
import { EmbeddedError } from './embedded-error.ts'
import { codeOf, readIfThere } from './files.ts'

export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** `starting`, `ready`, `stopping`; empty in the first instants of a start. */
  readonly phase: string
}

/** The file's lines, counted from 0. */
const PID_LINE = 0
const PORT_LINE = 3
const PHASE_LINE = 7

/** PostgreSQL creates the file and fills it in one go, within far less than this. */
const FILL_MS = 200

/** What the file says, believed or not. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readIfThere(postmasterFile(cluster)))?.split('\n') ?? []
  const pid = Number.parseInt(lines[PID_LINE] ?? '', 10)
  const port = Number.parseInt(lines[PORT_LINE] ?? '', 10)
  if (!(pid > 0) || !(port > 0)) return undefined
  return { pid, port, phase: lines[PHASE_LINE]?.trim() ?? '' }
}

/** The server that runs on the folder, whoever started it. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(cluster)
  if (postmaster === undefined) return undefined
  return (await isServerOf(postmaster.pid, cluster)) ? postmaster : undefined
}

/**
 * Takes what would keep PostgreSQL from starting out of its way, where no server runs on the
 * folder. PostgreSQL itself overwrites the pid of a dead process; an empty file, or the pid of a
 * living stranger (in a container that began anew pids repeat), it takes for a server.
 */
export async function clearPostmasterFile(cluster: string): Promise<void> {
  const text = await readIfThere(postmasterFile(cluster))
  if (text === undefined) return
  if (text.trim() === '') return await removeIfStillEmpty(cluster)
  const [pid = '', ...rest] = text.split('\n')
  if ((await identityOf(Math.abs(Number.parseInt(pid, 10)))) === undefined) return
  // Only the pid is put right, as the other lines let PostgreSQL see whether children of a killed
  // server are still at work on the data. It knows that its parent, we, is no server.
  await writeFile(postmasterFile(cluster), [String(process.pid), ...rest].join('\n'))
}

async function removeIfStillEmpty(cluster: string): Promise<void> {
  await delay(FILL_MS)
  const text = await readIfThere(postmasterFile(cluster))
  if (text?.trim() === '') await rm(postmasterFile(cluster), { force: true })
}

function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/**
 * In what `/proc/<pid>/stat` says behind the process's name: its state, and the tick of the boot at
 * which it began.
 */
const STATE = 0
const START_TICK = 19

/**
 * `Z` has ended and waits to be collected by its parent, which a container's first process may
 * never do.
 */
const ENDED_STATES = new Set(['Z', 'X', 'x'])

/**
 * Names this one run of the process: another process that gets its pid has another. Undefined where
 * none is alive.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return await ps(pid, 'lstart=')
  const stat = await readProc(pid, 'stat')
  if (stat === undefined) return undefined
  // The name stands in brackets and may hold brackets and spaces itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (ENDED_STATES.has(fields[STATE] ?? '')) return undefined
  return `${await bootId()}/${fields[START_TICK]}`
}

/** True where the process is a PostgreSQL that was started on this folder. */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    return (await ps(pid, 'command='))?.includes(`-D ${cluster}`) ?? false
  }
  const words = (await readProc(pid, 'cmdline'))?.split('\0') ?? []
  return words[words.indexOf('-D') + 1] === cluster
}

/**
 * The processes that it has started and that run. Empty where the system does not say: not every
 * kernel does, and none but Linux.
 */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const pids = (await readProc(pid, `task/${pid}/children`))?.split(' ') ?? []
  return pids.filter((one) => one.trim() !== '').map(Number)
}

/** What it calls itself; empty where it is gone, or the system does not say. */
export async function titleOf(pid: number): Promise<string> {
  return (await readProc(pid, 'cmdline')) ?? ''
}

async function readProc(pid: number, name: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // Gone before the read (ENOENT) or during it (ESRCH), or hidden from us and thus nothing that
    // we started.
    return undefined
  }
}

async function bootId(): Promise<string> {
  return (await readIfThere('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''
}

async function ps(pid: number, column: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(
      '/bin/ps',
      ['-ww', '-p', String(pid), '-o', column],
      {
        env: { LC_ALL: 'C', TZ: 'UTC' },
      },
    )
    return stdout.trim() || undefined
  } catch {
    // ps ends with 1 where there is no such process.
    return undefined
  }
}

/** A signal, and how long the server may take to end after it. */
export type StopSignal = readonly [NodeJS.Signals, number]

/** The next start replays what these leave unwritten: nothing committed is lost. */
export const STOP_AT_ONCE: readonly StopSignal[] = [
  ['SIGQUIT', 10 * SECOND],
  ['SIGKILL', 5 * SECOND],
]

/** Fast shutdown ends the sessions and writes all that is in memory to the disk. */
export const STOP_SIGNALS: readonly StopSignal[] = [['SIGINT', 30 * SECOND], ...STOP_AT_ONCE]

/** The longest that a stop takes. */
export const STOP_MS = allowedMs(STOP_SIGNALS)

const STOP_LOOK_MS = 3

/** Throws where the server had to be killed, so that the operator hears of it. */
export async function stopServer(
  pid: number,
  cluster: string,
  signals: readonly StopSignal[],
): Promise<void> {
  const isGone = async () => ((await isServerOf(pid, cluster)) ? undefined : true)
  const server = `the PostgreSQL on ${cluster} (process ${pid})`
  for (const [at, [signal, withinMs]] of signals.entries()) {
    // Looked at first, so that no stranger who got the pid is meant.
    if (await isGone()) return
    await signalServer(pid, signal)
    if (!(await poll(isGone, { everyMs: STOP_LOOK_MS, withinMs }))) continue
    if (signal !== 'SIGKILL') return
    const waitedMs = allowedMs(signals.slice(0, at))
    throw new EmbeddedError(
      `${server} did not end within ${waitedMs / SECOND} s and was killed: the next start recovers all that was committed, from its WAL`,
    )
  }
  throw new EmbeddedError(
    `${server} does not end, not even by SIGKILL: its disk may hang; end it before the next start`,
  )
}

async function signalServer(pid: number, signal: NodeJS.Signals): Promise<void> {
  const children = await childrenOf(pid)
  send(pid, signal)
  // A child without its parent ends by itself, unless it hangs as well: then it would keep the
  // next server from starting.
  if (signal === 'SIGKILL') for (const child of children) send(child, signal)
  // Processes that were frozen by SIGSTOP hear the signal only when they go on.
  else for (const one of [pid, ...children]) send(one, 'SIGCONT')
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended between the look and the signal.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

function allowedMs(signals: readonly StopSignal[]): number {
  return signals.reduce((sum, [, withinMs]) => sum + withinMs, 0)
}

/** The first answer that is not undefined; undefined where none came in time. */
export async function poll<T>(
  look: () => Promise<T | undefined>,
  limits: { readonly everyMs: number; readonly withinMs: number },
): Promise<T | undefined> {
  const until = performance.now() + limits.withinMs
  while (true) {
    const seen = await look()
    if (seen !== undefined || performance.now() >= until) return seen
    await delay(limits.everyMs)
  }
}
