// Causes a round of faults: either one at a time, each after the recovery of the one before, to
// measure how long it has effects, or on top of each other, which makes the worst cases.

import { type ChaosFault, type FaultTarget, HOLD_MS, type Mend } from './faults.ts'
import { between, shuffled } from './random.ts'
import { type Recovery, recovered } from './recovery.ts'
import type { Introduced } from './setting.ts'

export interface Striking extends FaultTarget {
  readonly caller: Introduced
  readonly say: (line: string) => void
}

/** The faults so far. */
export interface Struck {
  readonly counts: Partial<Record<ChaosFault['kind'], number>>
  readonly recoveries: Recovery[]
  /** The times in which faults on top of each other had an effect. */
  readonly windows: Window[]
}

/** In the time of `performance.now()`. */
export interface Window {
  readonly fromMs: number
  readonly untilMs: number
}

/** The calm between two faults, in answers; without answers, in time. */
const FEWEST_ANSWERS = 5
const MOST_ANSWERS = 40
const MOST_CALM_MS = 2_500

/** An outage lasts until this many further faults have come on top of it. */
const MEND_AFTER_FAULTS = 2

/** After a longer time the service does not recover without help. */
const MOST_FELT_MS = 90_000

interface Outage {
  /** The fault after which it is mended. */
  readonly until: number
  readonly mend: Mend
}

export async function strikeApart(
  target: Striking,
  faults: readonly ChaosFault[],
  { counts, recoveries, windows }: Struck,
): Promise<void> {
  // The effects of the round before do not count for the first fault of this one.
  const fromMs = performance.now()
  const { atMs } = await recovered({ ...target, mostMs: MOST_FELT_MS })
  windows.push({ fromMs, untilMs: atMs })
  for (const { name, kind, strike } of shuffled(target.random, faults)) {
    await calm(target)
    counts[kind] = (counts[kind] ?? 0) + 1
    target.say(name)
    const struckMs = performance.now()
    const mend = await strike(target)
    if (mend !== undefined) {
      await target.next(Number.POSITIVE_INFINITY, HOLD_MS)
      await mend()
    }
    const mendedMs = performance.now()
    const { atMs, missing } = await recovered({ ...target, mostMs: MOST_FELT_MS })
    recoveries.push({ name, kind, struckMs, mendedMs, recoveredMs: atMs, missing })
    target.say(`  felt for ${((atMs - mendedMs) / 1_000).toFixed(1)} s more ${missing.join(', ')}`)
    if (missing.length > 0) await renewAll(target)
  }
}

/** Processes that one fault has left dead must not count for the next. */
async function renewAll({ processes }: FaultTarget): Promise<void> {
  const all = [...processes.apis, ...processes.workers]
  await Promise.all(all.map((slot) => slot.end('SIGKILL')))
  await Promise.all(all.map((slot) => slot.ready()))
}

/** Everything is mended in the end. */
export async function strikeTogether(
  target: Striking,
  faults: readonly ChaosFault[],
  { counts, windows }: Struck,
): Promise<void> {
  const fromMs = performance.now()
  const outages: Outage[] = []
  let struck = 0
  for (const { name, kind, strike } of shuffled(target.random, faults)) {
    await calm(target)
    target.say(name)
    const mend = await strike(target)
    struck += 1
    counts[kind] = (counts[kind] ?? 0) + 1
    if (mend !== undefined) outages.push({ until: struck + MEND_AFTER_FAULTS, mend })
    for (const outage of outages) if (outage.until === struck) await outage.mend()
  }
  await target.next(MOST_ANSWERS, MOST_CALM_MS)
  for (const { until, mend } of outages) if (until > struck) await mend()
  windows.push({ fromMs, untilMs: performance.now() })
}

function calm({ random, next }: FaultTarget): Promise<void> {
  return next(between(random, FEWEST_ANSWERS, MOST_ANSWERS), MOST_CALM_MS)
}
