// A time limit for those who begin at about the same moment: a signal for each would cost more than
// what most of them do.

import { setMaxListeners } from 'node:events'

/** How much later than asked a limit may end. */
const TOGETHER_MS = 50

export function sharedTimeout(limitMs: number): () => AbortSignal {
  let signal: AbortSignal | undefined
  let sharedUntilMs = 0
  return () => {
    const nowMs = performance.now()
    if (signal === undefined || nowMs > sharedUntilMs) {
      signal = AbortSignal.timeout(limitMs + TOGETHER_MS)
      setMaxListeners(0, signal) // everybody of the moment listens to it
      sharedUntilMs = nowMs + TOGETHER_MS
    }
    return signal
  }
}
