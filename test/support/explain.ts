// Checks whether one order of events explains all of them: simultaneous requests may have taken
// effect in any order, and an answer precedes every later request.

export interface Happening<S> {
  /** It took effect between the two. */
  readonly fromMs: number
  readonly toMs: number
  /** Applies it to a state; undefined if the observation excludes that. */
  readonly apply: (state: S) => S | undefined
}

/** The state after all of them, in an order that explains them; undefined if there is none. */
export function explain<S>(start: S, happenings: readonly Happening<S>[]): S | undefined {
  // The state depends on the set of past events, not on their order: each set is tried once.
  const hopeless = new Set<string>()

  function from(state: S, open: readonly number[]): S | undefined {
    if (open.length === 0) return state
    const place = open.join()
    if (hopeless.has(place)) return undefined
    const firstEndMs = Math.min(...open.map((i) => happenings[i]?.toMs ?? 0))
    for (const i of open) {
      const happening = happenings[i]
      if (happening === undefined || happening.fromMs > firstEndMs) continue
      const next = happening.apply(state)
      const end =
        next &&
        from(
          next,
          open.filter((other) => other !== i),
        )
      if (end !== undefined) return end
    }
    hopeless.add(place)
    return undefined
  }

  return from(start, [...happenings.keys()])
}
