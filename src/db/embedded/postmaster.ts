// Reads the state of a running PostgreSQL from the system and from `postmaster.pid`, and stops it.
// A pid may be used again after its process has ended, and the file remains after a server was
// killed. So the file counts only if its process lives and was started on this very folder.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SECOND } from '../../core/time-units.ts'
import { EmbeddedError } from './embedded-error.ts'
import { readIfThere, systemCodeOf } from './files.ts'

export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** `starting`, `ready`, `stopping`; empty in the first moments of a start. */
  readonly phase: string
}

/** The lines of the file, counted from 0. */
const PID_LINE = 0
const PORT_LINE = 3
const PHASE_LINE = 7

/** PostgreSQL creates the file and writes it at once, much faster than this. */
const FILL_MS = 200

/** The contents of the file, not yet checked. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readIfThere(postmasterFile(cluster)))?.split('\n') ?? []
  const pid = Number.parseInt(lines[PID_LINE] ?? '', 10)
  const port = Number.parseInt(lines[PORT_LINE] ?? '', 10)
  if (!(pid > 0) || !(port > 0)) return undefined
  return { pid, port, phase: lines[PHASE_LINE]?.trim() ?? '' }
}

/** The server that runs on the folder, whichever process started it. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(cluster)
  if (postmaster === undefined) return undefined
  return (await isServerOf(postmaster.pid, cluster)) ? postmaster : undefined
}

/**
 * Removes what would keep PostgreSQL from starting, if no server runs on the folder. PostgreSQL
 * replaces the pid of a dead process itself. But it takes an empty file, or the pid of another
 * living process, for a running server; pids repeat in a restarted container.
 */
export async function clearPostmasterFile(cluster: string): Promise<void> {
  const text = await readIfThere(postmasterFile(cluster))
  if (text === undefined) return
  if (text.trim() === '') return await removeIfStillEmpty(cluster)
  const [pid = '', ...rest] = text.split('\n')
  if ((await identityOf(Math.abs(Number.parseInt(pid, 10)))) === undefined) return
  // Only the pid is replaced, because PostgreSQL uses the other lines to see whether children of a
  // killed server still work on the data. It knows that its parent, this process, is not a server.
  await writeFile(postmasterFile(cluster), [String(process.pid), ...rest].join('\n'))
}

async function removeIfStillEmpty(cluster: string): Promise<void> {
  await delay(FILL_MS)
  const text = await readIfThere(postmasterFile(cluster))
  if (text?.trim() === '') await rm(postmasterFile(cluster), { force: true })
}

export function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/**
 * Fields of `/proc/<pid>/stat` after the process's name: its state, and its start time in clock
 * ticks since boot.
 */
const STATE = 0
const START_TICK = 19

/**
 * `Z` has ended and waits for its parent to collect it, which the first process of a container may
 * never do.
 */
const ENDED_STATES = new Set(['Z', 'X', 'x'])

/**
 * Identifies this run of the process: a later process with the same pid has another identity.
 * Undefined if no process with this pid is alive.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return await ps(pid, 'lstart=')
  const stat = await readProc(pid, 'stat')
  if (stat === undefined) return undefined
  // The name is in parentheses and may contain parentheses and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (ENDED_STATES.has(fields[STATE] ?? '')) return undefined
  return `${await bootId()}/${fields[START_TICK]}`
}

/** True if the process is a PostgreSQL that was started on this folder. */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    return (await ps(pid, 'command='))?.includes(`-D ${cluster}`) ?? false
  }
  const words = (await readProc(pid, 'cmdline'))?.split('\0') ?? []
  return words[words.indexOf('-D') + 1] === cluster
}

/**
 * The running children of the process. Empty if the system does not show them: only Linux does, and
 * not every kernel.
 */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const pids = (await readProc(pid, `task/${pid}/children`))?.split(' ') ?? []
  return pids.filter((one) => one.trim() !== '').map(Number)
}

/** The process's title. Empty if it has ended, or the system does not show it. */
export async function titleOf(pid: number): Promise<string> {
  return (await readProc(pid, 'cmdline')) ?? ''
}

async function readProc(pid: number, name: string): Promise<string | undefined> {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // The process ended before the read (ENOENT) or during it (ESRCH), or it is hidden, so this
    // service did not start it.
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
    // ps ends with 1 if there is no such process.
    return undefined
  }
}

/** A signal, and how long the server may take to end after it. */
export type StopSignal = readonly [NodeJS.Signals, number]

/** The next start replays the WAL: nothing committed is lost. */
export const STOP_AT_ONCE: readonly StopSignal[] = [
  ['SIGQUIT', 10 * SECOND],
  ['SIGKILL', 5 * SECOND],
]

/** A fast shutdown ends the sessions and writes all memory to disk. */
export const STOP_SIGNALS: readonly StopSignal[] = [['SIGINT', 30 * SECOND], ...STOP_AT_ONCE]

/** The longest that a stop takes. */
export const STOP_MS = allowedMs(STOP_SIGNALS)

const STOP_LOOK_MS = 3

/** Throws if the server had to be killed, so that the operator learns of it. */
export async function stopServer(
  pid: number,
  cluster: string,
  signals: readonly StopSignal[],
): Promise<void> {
  const isGone = async () => ((await isServerOf(pid, cluster)) ? undefined : true)
  const server = `the PostgreSQL on ${cluster} (process ${pid})`
  for (const [at, [signal, withinMs]] of signals.entries()) {
    // Checked before each signal, because another process may have got the pid.
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
  // A child without its parent normally ends. If it hangs, it would block the next server.
  if (signal === 'SIGKILL') for (const child of children) send(child, signal)
  // Processes that were frozen by SIGSTOP handle the signal only after SIGCONT.
  else for (const one of [pid, ...children]) send(one, 'SIGCONT')
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended between the check and the signal.
    if (systemCodeOf(error) !== 'ESRCH') throw error
  }
}

function allowedMs(signals: readonly StopSignal[]): number {
  return signals.reduce((sum, [, withinMs]) => sum + withinMs, 0)
}

/** The first result that is not undefined. Undefined if there was none in time. */
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
