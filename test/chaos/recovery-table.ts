// The cost of each kind of fault: its duration, and the requests that failed meanwhile.

import type { FaultKind } from './faults.ts'
import type { Failure } from './load.ts'
import type { Recovery } from './recovery.ts'
import type { Window } from './strike-faults.ts'

export interface FaultEffects {
  readonly kind: FaultKind
  readonly count: number
  /** The median time until recovery, after the mending. */
  readonly medianMs: number
  readonly slowestMs: number
  /** Requests that failed between a strike and its recovery. */
  readonly failures: number
}

/** `outside` are failures outside all faults. */
export function effectsByKind(
  recoveries: readonly Recovery[],
  windows: readonly Window[],
  failures: readonly Failure[],
): { readonly byKind: readonly FaultEffects[]; readonly outside: number } {
  const kinds = [...new Set(recoveries.map(({ kind }) => kind))].sort()
  const byKind = kinds.map((kind) => {
    const ofKind = recoveries.filter((recovery) => recovery.kind === kind)
    const lengths = ofKind.map(lengthOf).sort((a, b) => a - b)
    return {
      kind,
      count: ofKind.length,
      medianMs: lengths[Math.floor(lengths.length / 2)] ?? 0,
      slowestMs: lengths.at(-1) ?? 0,
      failures: failures.filter((failure) => isIn(ofKind.map(windowOf), failure)).length,
    }
  })
  const all = [...windows, ...recoveries.map(windowOf)]
  return { byKind, outside: failures.filter((failure) => !isIn(all, failure)).length }
}

export function effectsTable(effects: readonly FaultEffects[]): readonly string[] {
  const seconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(7)
  return [
    `${'fault'.padEnd(24)}count   median  slowest (s)  failed requests`,
    ...effects.map(({ kind, count, medianMs, slowestMs, failures }) => {
      const times = `${seconds(medianMs)}  ${seconds(slowestMs)}`
      return `${kind.padEnd(24)}${String(count).padStart(5)}  ${times}${String(failures).padStart(21)}`
    }),
  ]
}

function lengthOf({ mendedMs, recoveredMs }: Recovery): number {
  return recoveredMs - mendedMs
}

function windowOf({ struckMs, recoveredMs }: Recovery): Window {
  return { fromMs: struckMs, untilMs: recoveredMs }
}

/** A request that began during a fault may fail later. */
function isIn(windows: readonly Window[], { askedMs, endedMs }: Failure): boolean {
  return windows.some(({ fromMs, untilMs }) => askedMs < untilMs && endedMs > fromMs)
}
