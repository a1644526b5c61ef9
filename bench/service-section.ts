// The section of one measured service: its figures and its ratios.

import type { CpuUse } from './cpu-meter.ts'
import type { CrowdAnswered } from './crowd.ts'
import type { ChargeFigures } from './load.ts'
import type { MeasuredService } from './measured-service.ts'
import type { Figure, Section } from './report.ts'
import type { RowsWritten } from './rows.ts'
import { CALLERS, ROW_CONNECTIONS, STEADY_PER_SECOND } from './sizes.ts'
import type { Counted } from './statements.ts'
import { median, sum } from './statistics.ts'

export interface Round {
  readonly rows: RowsWritten
  readonly jobsPerSecond: number
  readonly charged: ChargeFigures
  readonly cpu: readonly CpuUse[]
}

/** A round whose statements and trips were counted. */
export interface Counts {
  readonly charged: ChargeFigures
  readonly statements: Counted | undefined
  readonly queueTrips: number | undefined
}

/** Charges that arrived evenly, and the processor time of all processes. */
export interface Steady {
  readonly answered: CrowdAnswered
  readonly cpu: readonly CpuUse[]
  /** Of one trip to PostgreSQL at the same rate. */
  readonly tripMs: number
}

export interface Measured {
  readonly rounds: readonly Round[]
  readonly alone: Counts
  readonly steady: Steady
  readonly busy: Counts
  readonly idleMb: number
  readonly busyMb: number
}

export function serviceSection(service: MeasuredService, measured: Measured): Section {
  const { rounds } = measured
  const { name } = service
  return {
    title: service.title,
    notes: [
      `${CALLERS} callers over raw keep-alive sockets, each waiting for its outcome; ${rounds.length} rounds in turn, medians.`,
      `Rows: an insert and an update a charge, prepared, ${ROW_CONNECTIONS} connections, from Node over raw sockets; same database.`,
      'Empty jobs: added by hundreds, worked on with the settings of the queue of charges.',
    ],
    figures: [
      ...speeds(rounds),
      ...latencies(measured),
      ...counts('alone', 'alone', measured.alone),
      ...counts('busy', 'under load', measured.busy),
      ...steadyFigures(measured.steady),
      ...cpu(rounds),
      {
        name: 'worker_idle_mb',
        label: `memory of ${service.worker}, idle`,
        value: measured.idleMb,
        unit: 'MB',
      },
      {
        name: 'worker_busy_mb',
        label: `memory of ${service.worker}, busy`,
        value: measured.busyMb,
        unit: 'MB',
      },
    ].map((figure) => ({ ...figure, name: `${name}_${figure.name}` })),
    ratios: {
      [`charge_${name}_vs_rows`]: median(rounds.map((r) => r.charged.perSecond / r.rows.perSecond)),
      [`charge_${name}_vs_queue`]: median(rounds.map((r) => r.charged.perSecond / r.jobsPerSecond)),
    },
  }
}

function speeds(rounds: readonly Round[]): Figure[] {
  const unit = '/s'
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  return [
    { name: 'charges_per_second', label: 'charges', value: of((r) => r.charged.perSecond), unit },
    { name: 'rows_per_second', label: 'rows', value: of((r) => r.rows.perSecond), unit },
    { name: 'jobs_per_second', label: 'empty jobs', value: of((r) => r.jobsPerSecond), unit },
  ]
}

function latencies({ rounds, alone }: Measured): Figure[] {
  const unit = 'ms'
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  return [
    { name: 'charge_p50_ms', label: 'a charge, p50', value: of((r) => r.charged.p50Ms), unit },
    { name: 'charge_p99_ms', label: 'a charge, p99', value: of((r) => r.charged.p99Ms), unit },
    { name: 'charge_alone_p50_ms', label: 'a charge alone, p50', value: alone.charged.p50Ms, unit },
    { name: 'charge_alone_p99_ms', label: 'a charge alone, p99', value: alone.charged.p99Ms, unit },
  ]
}

function counts(name: string, when: string, { charged, statements, queueTrips }: Counts): Figure[] {
  const unit = 'a charge'
  const figure = (what: string, label: string, count: number | undefined): Figure[] => {
    if (count === undefined) return []
    return [
      {
        name: `${what}_${name}`,
        label: `${label}, ${when}`,
        value: count / charged.completed,
        unit,
      },
    ]
  }
  return [
    ...figure('statements', 'statements', statements?.service),
    ...figure('queue_trips', 'queue round trips', queueTrips ?? statements?.queue),
  ]
}

function steadyFigures({ answered, cpu, tripMs }: Steady): Figure[] {
  const when = `at ${STEADY_PER_SECOND} a second`
  const name = `at_${STEADY_PER_SECOND}`
  const micros = sum(cpu.map((one) => one.micros))
  return [
    { name: `${name}_p50_ms`, label: `a charge ${when}, p50`, value: answered.p50Ms, unit: 'ms' },
    { name: `${name}_p99_ms`, label: `a charge ${when}, p99`, value: answered.p99Ms, unit: 'ms' },
    {
      name: `${name}_trip_p50_ms`,
      label: `one trip to PostgreSQL ${when}, p50`,
      value: tripMs,
      unit: 'ms',
    },
    {
      name: `${name}_cpu_micros`,
      label: `CPU of all processes, ${when}`,
      value: micros / answered.sent,
      unit: 'µs a charge',
    },
  ]
}

function cpu(rounds: readonly Round[]): Figure[] {
  const names = rounds[0]?.cpu.map(({ name }) => name) ?? []
  const used = names.map((name, i) => ({
    name,
    value: median(rounds.map((r) => (r.cpu[i]?.micros ?? 0) / r.charged.completed)),
  }))
  const load = median(rounds.map((r) => r.charged.cpuMicros / r.charged.completed))
  const rows = median(rounds.map((r) => r.rows.cpuMicros))
  const clients = [
    { name: 'load generator', value: load },
    { name: "rows' client", value: rows },
  ]
  return [...used, ...clients].map(({ name, value }) => ({
    name: `cpu_micros_${name.toLowerCase().replaceAll("'", '').replaceAll(' ', '_')}`,
    label: `CPU of ${name}`,
    value,
    unit: 'µs a charge',
  }))
}
