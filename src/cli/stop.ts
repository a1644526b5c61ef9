// The reasons for a process to end: a signal, handled from the first moment on, or a fatal failure.
// A second signal ends the process at once.

import { isatty } from 'node:tty'
import { NamedError } from '../core/named-error.ts'

/** The process ends because of a signal. */
export class Stopped extends NamedError {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(signal)
    this.signal = signal
  }
}

export interface Stop {
  /** Rejects when the process must end: with `Stopped`, or with the failure. */
  readonly ended: Promise<never>
  readonly isStopped: boolean
  /** Ends the process after a fatal failure. */
  fail(error: Error): void
}

/**
 * The end of a terminal ends the process, unless it was started to outlive it. Node forgets that
 * `nohup` lets it ignore SIGHUP. But no stream leads to a terminal then, nor under a process
 * manager.
 */
const STANDARD_STREAMS = [0, 1, 2] as const

export function listenForSignals(): Stop {
  const state = { isStopped: false }
  let rejectEnded: (reason: Error) => void = () => {}
  const ended = new Promise<never>((_resolve, reject) => {
    rejectEnded = reject
  })
  ended.catch(() => {}) // handled by the code that races it
  const end = (reason: Error) => {
    state.isStopped = true
    rejectEnded(reason)
  }
  let isSignalled = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isSignalled) process.exit(1)
    isSignalled = true
    end(new Stopped(signal))
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const isOnTerminal = STANDARD_STREAMS.some((stream) => isatty(stream))
  process.on('SIGHUP', () => {
    if (isOnTerminal && !isSignalled) onSignal('SIGHUP')
  })
  return {
    ended,
    get isStopped() {
      return state.isStopped
    },
    fail: end,
  }
}
