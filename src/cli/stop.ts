// What makes a process end: a signal from whoever runs it. It is heard from the first moment on; a
// second one ends the process at once.

export interface Stop {
  readonly reason: Promise<string>
  readonly isStopped: boolean
  done(): void
}

export function signalled(): Stop {
  const state = { isStopped: false }
  let resolveReason: (reason: string) => void = () => {}
  const reason = new Promise<string>((resolve) => {
    resolveReason = resolve
  })
  const hear = (signal: NodeJS.Signals) => {
    if (state.isStopped) process.exit(1)
    state.isStopped = true
    resolveReason(signal)
  }
  process.on('SIGINT', hear).on('SIGTERM', hear)
  return {
    reason,
    get isStopped() {
      return state.isStopped
    },
    done: () => process.off('SIGINT', hear).off('SIGTERM', hear),
  }
}
