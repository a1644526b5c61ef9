// Cases in which every two values of different dimensions occur together at least once: few faults
// need three things at the same time.

import { pick, type Random } from '../chaos/random.ts'

export type Dimensions = Readonly<Record<string, readonly string[]>>

export type PairwiseCase<D extends Dimensions> = { readonly [K in keyof D]: D[K][number] }

/** The number of candidates for each case: more make fewer cases, and take longer. */
const CANDIDATES = 40

export function allPairs<D extends Dimensions>(
  dimensions: D,
  random: Random,
): readonly PairwiseCase<D>[] {
  const missing = pairsOf(dimensions)
  const cases: PairwiseCase<D>[] = []
  while (missing.size > 0) {
    const candidates = Array.from({ length: CANDIDATES }, () => anyCase(dimensions, random))
    const gain = (one: PairwiseCase<D>) => pairsIn(one).filter((pair) => missing.has(pair)).length
    const best = candidates.reduce((a, b) => (gain(b) > gain(a) ? b : a))
    if (gain(best) === 0) continue
    for (const pair of pairsIn(best)) missing.delete(pair)
    cases.push(best)
  }
  return cases
}

function anyCase<D extends Dimensions>(dimensions: D, random: Random): PairwiseCase<D> {
  const entries = Object.entries(dimensions).map(([name, values]) => [name, pick(random, values)])
  return Object.fromEntries(entries) as PairwiseCase<D>
}

function pairsOf(dimensions: Dimensions): Set<string> {
  const values = Object.entries(dimensions).flatMap(([name, all]) =>
    all.map((value) => [name, value] as const),
  )
  return new Set(values.flatMap((a) => values.flatMap((b) => (a[0] < b[0] ? [pair(a, b)] : []))))
}

function pairsIn(one: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.entries(one)
  return values.flatMap((a) => values.flatMap((b) => (a[0] < b[0] ? [pair(a, b)] : [])))
}

function pair(a: readonly [string, string], b: readonly [string, string]): string {
  return `${a[0]} ${a[1]}, ${b[0]} ${b[1]}`
}
