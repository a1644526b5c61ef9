// The reasons for a process to end: a signal, handled from the first moment on, or a fatal failure.
// A second signal ends the process at once.

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
  return {
    ended,
    get isStopped() {
      return state.isStopped
    },
    fail: end,
  }
}
