// The section about more and more processes: the figures of each line-up, and its ratios.

import type { CpuUse } from './cpu-meter.ts'
import type { Kind, LineUp } from './line-ups.ts'
import type { ChargeFigures } from './load.ts'
import type { Figure, Section } from './report.ts'
import type { RowsWritten } from './rows.ts'
import { CALLERS, ROW_CONNECTIONS } from './sizes.ts'
import { median } from './statistics.ts'

export interface GrownRound {
  readonly rows: RowsWritten
  readonly charged: ChargeFigures
  /** The processor time of all processes of a kind together. */
  readonly cpu: readonly CpuUse[]
}

export interface Grown extends LineUp {
  readonly rounds: readonly GrownRound[]
  /** The memory of one process, on average. */
  readonly memoryMb: Readonly<Record<Kind, number>>
}

const MICROS_A_SECOND = 1_000_000

export function workersSection(grown: readonly Grown[]): Section {
  const [alone] = grown
  return {
    title: 'More processes: the same load on Redis, with 1, 2 and 4 workers, and with a second api',
    notes: [
      `${CALLERS} callers, each waiting for its outcome; ${alone?.rounds.length} rounds a line-up, rows and charges in turn, medians.`,
      `Rows: an insert and an update a charge, prepared, ${ROW_CONNECTIONS} connections, from Node over raw sockets; same database.`,
      'All share the cores of this machine, with the database and the load: more processes bring more only while a core is idle.',
      'A core carries: a second of it, divided by what a charge costs that kind of process; a process has one core at most.',
    ],
    figures: grown.flatMap(figuresOf),
    ratios: {
      ...Object.fromEntries(grown.map((one) => [`charge_${nameOf(one)}_vs_rows`, vsRows(one)])),
      ...Object.fromEntries(
        grown.slice(1).map((one) => [`charge_${nameOf(one)}_vs_1_worker`, vs(one, alone)]),
      ),
    },
  }
}

function figuresOf(one: Grown): Figure[] {
  const { apis, workers, rounds, memoryMb } = one
  const who = `${apis} api${apis === 1 ? '' : 's'}, ${workers} worker${workers === 1 ? '' : 's'}`
  const of = (pick: (round: GrownRound) => number) => median(rounds.map(pick))
  const figures: Figure[] = [
    {
      name: 'charges_per_second',
      label: 'charges',
      value: of((r) => r.charged.perSecond),
      unit: '/s',
    },
    { name: 'rows_per_second', label: 'rows', value: of((r) => r.rows.perSecond), unit: '/s' },
    { name: 'p50_ms', label: 'a charge, p50', value: of((r) => r.charged.p50Ms), unit: 'ms' },
    { name: 'p99_ms', label: 'a charge, p99', value: of((r) => r.charged.p99Ms), unit: 'ms' },
    ...costs(rounds),
    { name: 'api_mb', label: 'memory of an api', value: memoryMb.api, unit: 'MB' },
    { name: 'worker_mb', label: 'memory of a worker', value: memoryMb.worker, unit: 'MB' },
  ]
  return figures.map((figure) => ({
    ...figure,
    name: `${nameOf(one)}_${figure.name}`,
    label: `${who}: ${figure.label}`,
  }))
}

function costs(rounds: readonly GrownRound[]): Figure[] {
  const names = rounds[0]?.cpu.map(({ name }) => name) ?? []
  const used = names.map((name, i) => {
    const micros = median(rounds.map((r) => (r.cpu[i]?.micros ?? 0) / r.charged.completed))
    return { name, micros }
  })
  const load = median(rounds.map((r) => r.charged.cpuMicros / r.charged.completed))
  return [
    ...[...used, { name: 'load generator', micros: load }].map(({ name, micros }) => ({
      name: `cpu_micros_${named(name)}`,
      label: `CPU of ${name}`,
      value: micros,
      unit: 'µs a charge',
    })),
    ...used.map(({ name, micros }) => ({
      name: `a_core_carries_${named(name)}`,
      label: `a core of ${name} carries`,
      value: MICROS_A_SECOND / micros,
      unit: 'charges/s',
    })),
  ]
}

function named(name: string): string {
  return name.toLowerCase().replaceAll(' ', '_')
}

function nameOf({ apis, workers }: Grown): string {
  return `${workers}_worker${workers === 1 ? '' : 's'}${apis === 1 ? '' : `_${apis}_apis`}`
}

function vsRows({ rounds }: Grown): number {
  return median(rounds.map((r) => r.charged.perSecond / r.rows.perSecond))
}

/**
 * The ratio to the speed of each one's own database in the same minutes, because the speed of a
 * machine changes.
 */
function vs(one: Grown, other: Grown | undefined): number {
  return other === undefined ? Number.NaN : vsRows(one) / vsRows(other)
}
