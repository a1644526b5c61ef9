// Repeatable random numbers: the same seed gives the same numbers (mulberry32).

/** A number in [0, 1). */
export type Random = () => number

export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number from `least` to `most`. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[between(random, 0, choices.length - 1)]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}

export function shuffled<T>(random: Random, all: readonly T[]): readonly T[] {
  return all
    .map((one) => ({ one, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}
