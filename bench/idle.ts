// The cost of a service without requests: the processor time of its processes, their statements to
// the database, and how often they wake up. Workers still ask the queues for jobs, and due rows are
// still searched.

import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE } from '../src/core/time-units.ts'
import { type Cleanups, withCleanups } from './cleanups.ts'
import { openCpuMeter } from './cpu-meter.ts'
import type { MeasuredService } from './measured-service.ts'
import { wakeUps } from './processes.ts'
import type { Figure, Section } from './report.ts'
import type { Sizes } from './sizes.ts'
import { openCounter } from './statements.ts'
import { sum } from './statistics.ts'

type Open = (cleanups: Cleanups) => Promise<MeasuredService>

/** Work that is done once after the start is over by then: schedulers, plans, Prisma's compiler. */
const SETTLES_MS = 4_000

/** Each service is measured alone: it is stopped before the next is opened. */
export async function measureIdle(opens: readonly Open[], sizes: Sizes): Promise<Section> {
  const figures: Figure[] = []
  for (const open of opens) {
    await withCleanups(async (cleanups) => {
      figures.push(...(await figuresOf(await open(cleanups), sizes.idleMs, cleanups)))
    })
  }
  return {
    title: 'An idle service',
    notes: ['Nothing is asked of it; in all of its processes, and in those of its stores.'],
    figures,
    ratios: {},
  }
}

async function figuresOf(
  measured: MeasuredService,
  ms: number,
  cleanups: Cleanups,
): Promise<readonly Figure[]> {
  const { database, name, others, queueTrips, services } = measured
  const stores = [{ name: 'PostgreSQL', pid: database.pid }, ...others]
  const cpu = openCpuMeter([...services, ...stores])
  const counter = await openCounter(database)
  if (counter !== undefined) cleanups.add(counter.close)
  await delay(SETTLES_MS)
  const wakesOf = async () => sum(await Promise.all(services.map(({ pid }) => wakeUps(pid))))
  const [wakesBefore, tripsBefore] = [await wakesOf(), await queueTrips?.()]
  const { result: statements, used } = await cpu.during(async () => {
    const counted = await counter?.count(() => delay(ms))
    if (counter === undefined) await delay(ms)
    return counted?.counted
  })
  const [wakesAfter, tripsAfter] = [await wakesOf(), await queueTrips?.()]
  const figure = (what: string, label: string, count: number, unit: string): Figure => ({
    name: `idle_${name}_${what}`,
    label: `${name}: ${label}`,
    value: (count * MINUTE) / ms,
    unit,
  })
  const trips = tripsAfter === undefined ? statements?.queue : tripsAfter - (tripsBefore ?? 0)
  const cpuMsOf = (some: readonly { readonly name: string }[]) =>
    sum(used.filter((one) => some.some((other) => other.name === one.name)).map(microsOf)) / 1_000
  return [
    figure('cpu_ms_services', 'CPU of the service', cpuMsOf(services), 'ms a minute'),
    figure('cpu_ms_stores', 'CPU of its stores', cpuMsOf(stores), 'ms a minute'),
    figure('wake_ups', 'wake-ups of the service', wakesAfter - wakesBefore, 'a minute'),
    ...(statements === undefined
      ? []
      : [figure('statements', 'statements', statements.service, 'a minute')]),
    ...(trips === undefined ? [] : [figure('queue_trips', 'queue round trips', trips, 'a minute')]),
  ]
}

function microsOf({ micros }: { readonly micros: number }): number {
  return micros
}
