// An answer that is expensive and may be a little old.

/** An answer is kept for at least so many times as long as it took to compute. */
const TIMES = 10

/**
 * Caches the answer briefly. Calls in between get the same answer, and calls during the computation
 * wait for it. A failure is not kept.
 *
 * The answer is kept for `keepMs`, or longer if it took long. So computing it takes at most a tenth
 * of the time, however often it is asked for, and it is never computed twice at once.
 */
export function remembered<T>(keepMs: number, find: () => Promise<T>): () => Promise<T> {
  let known: { readonly answer: Promise<T>; readonly untilMs: number } | undefined

  return () => {
    if (known !== undefined && performance.now() < known.untilMs) return known.answer
    const startedMs = performance.now()
    const answer = find()
    known = { answer, untilMs: Number.POSITIVE_INFINITY }
    const keep = () => {
      const endedMs = performance.now()
      const tookMs = endedMs - startedMs
      known = { answer, untilMs: endedMs + Math.max(keepMs, TIMES * tookMs) }
    }
    const forget = () => {
      known = undefined
    }
    answer.then(keep, forget)
    return answer
  }
}
