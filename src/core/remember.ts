// Caches an expensive answer briefly. Calls in between get the same answer, and calls during the
// computation wait for it.

/**
 * Kept for `keepMs`, and for `times` as long as it took to find: however often it is asked for, it
 * takes no more than that part of the time of whoever finds it.
 */
export function remembered<T>(
  { keepMs, times }: { readonly keepMs: number; readonly times: number },
  find: () => Promise<T>,
): () => Promise<T> {
  let known: { readonly answer: Promise<T>; readonly untilMs: number } | undefined

  return () => {
    if (known !== undefined && performance.now() < known.untilMs) return known.answer
    const startedMs = performance.now()
    const answer = find()
    const found = { answer, untilMs: Number.POSITIVE_INFINITY }
    known = found
    const keep = () => {
      const endedMs = performance.now()
      const tookMs = endedMs - startedMs
      known = { answer, untilMs: endedMs + Math.max(keepMs, times * tookMs) }
    }
    answer.then(keep, keep)
    return answer
  }
}
