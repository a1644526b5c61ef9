// Whether one order of what happened explains all of it: what was asked at the same moment may have
// happened in any order, what was answered before something else was asked may not.

export interface Happening<S> {
  /** It happened somewhere between the two. */
  readonly fromMs: number
  readonly toMs: number
  /** What it makes of a state; undefined where it cannot have happened there, as it was seen. */
  readonly apply: (state: S) => S | undefined
}

/** The state after all of them, in an order that explains them; undefined where none does. */
export function explain<S>(start: S, happenings: readonly Happening<S>[]): S | undefined {
  // The state depends on what has happened, not on the order: a set that led nowhere leads nowhere.
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
