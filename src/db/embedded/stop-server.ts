// The end of a PostgreSQL server, whether it obeys or not.

import { SECOND } from '../../core/time-units.ts'
import { EmbeddedError } from './embedded-error.ts'
import { codeOf } from './files.ts'
import { poll } from './poll.ts'
import { childrenOf, isServerOf } from './processes.ts'

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

const LOOK_MS = 3

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
    if (!(await poll(isGone, { everyMs: LOOK_MS, withinMs }))) continue
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
