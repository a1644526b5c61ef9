// Stops everything that a benchmark has started: at its end, at its failure, and when it is
// interrupted.

export interface Cleanups {
  /** Carried out in reverse order, each once. */
  add(step: () => Promise<unknown>): void
}

type Steps = (() => Promise<unknown>)[]

const living = new Set<Steps>()

let isStopping = false

export async function withCleanups<T>(act: (cleanups: Cleanups) => Promise<T>): Promise<T> {
  const steps: Steps = []
  living.add(steps)
  try {
    return await act({ add: (step) => steps.push(step) })
  } finally {
    // A failure that is caused by the stop must not end the process before everything is stopped.
    if (isStopping) await new Promise(() => {})
    await runAll(steps)
    living.delete(steps)
  }
}

export function stopOnSignals(): void {
  const stop = async (signal: NodeJS.Signals) => {
    isStopping = true
    for (const steps of [...living].reverse()) await runAll(steps)
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
}

async function runAll(steps: Steps): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    await step().catch((error: unknown) => process.stderr.write(`while stopping: ${error}\n`))
  }
}
