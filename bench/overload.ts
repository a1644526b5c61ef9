// Sends twice the charges that the service can do: it measures how much of its capacity the service
// still serves, how soon, and the answers to the other charges. The capacity is measured before
// each round, by callers that wait.
//
// The crowd needs the same cores as the service. So the capacity is measured once more, beside a
// crowd as large as the later refused one, which a process refuses that does no other work: no
// service could serve more of them here.

import { SECOND } from '../src/core/time-units.ts'
import { startBenchChild } from './child.ts'
import { type Cleanups, withCleanups } from './cleanups.ts'
import { type CrowdAnswered, startCrowd } from './crowd.ts'
import { type Health, startMonitor } from './health.ts'
import { startCallers } from './load.ts'
import type { MeasuredService } from './measured-service.ts'
import { makeMerchant } from './merchant.ts'
import type { Figure, Section } from './report.ts'
import { KEY } from './service.ts'
import type { Sizes } from './sizes.ts'
import { median } from './statistics.ts'

/** Enough for rounds of the size that they have at capacity. */
const CAPACITY_CALLERS = 256

const TIMES_CAPACITY = 2

/** Twice the wait of a charge. */
const PATIENCE_MS = 20 * SECOND

interface Round {
  readonly capacity: number
  readonly besideCrowd: number
  readonly perSecond: number
  readonly answered: CrowdAnswered
  readonly health: Health
}

type Open = (cleanups: Cleanups) => Promise<MeasuredService>

/** Each service is measured alone: it is stopped before the next is opened. */
export async function measureOverload(opens: readonly Open[], sizes: Sizes): Promise<Section> {
  const figures: Figure[] = []
  const ratios: Record<string, number> = {}
  for (const open of opens) {
    await withCleanups(async (cleanups) => {
      const measured = await open(cleanups)
      const rounds = await roundsOf(measured, sizes, cleanups)
      figures.push(...figuresOf(measured.name, rounds))
      ratios[`overload_${measured.name}_served`] = median(rounds.map(servedOf))
      ratios[`overload_${measured.name}_served_beside_crowd`] = median(
        rounds.map(servedBesideCrowd),
      )
    })
  }
  return {
    title: `Overload: ${TIMES_CAPACITY} times the capacity, by callers who do not wait for each other`,
    notes: [
      `Capacity: ${CAPACITY_CALLERS} callers who wait, measured before each of ${sizes.rounds} rounds of ${sizes.overloadMs / SECOND} s; medians.`,
      'Beside a crowd: the same, while as many are refused elsewhere as are more than the capacity.',
      'Those of a second are connected before they ask; who finds no connection free opens another.',
      '/healthz over a connection of its own each time; its own time is without what it waited for a core.',
    ],
    figures,
    ratios,
  }
}

async function roundsOf(
  measured: MeasuredService,
  sizes: Sizes,
  cleanups: Cleanups,
): Promise<Round[]> {
  const [service] = measured.services
  const target = { address: service?.address ?? '', key: KEY }
  const monitored = { address: target.address, pid: service?.pid ?? 0 }
  const merchant = await makeMerchant(target, measured.database.client)
  const paymentMethods = merchant.paymentMethods.map(({ id }) => id)
  const load = startCallers(cleanups)
  const crowd = startCrowd(cleanups)
  const monitor = startMonitor(cleanups)
  const refuser = startBenchChild<object, string>('refuser-child.ts', [], cleanups)
  const refusing = { ...target, address: await refuser.ask({}) }
  const callers = { target, paymentMethods, connections: CAPACITY_CALLERS }
  await load.ask({ ...callers, ms: sizes.warmUpMs })
  const rounds: Round[] = []
  while (rounds.length < sizes.rounds) {
    const { perSecond: capacity } = await load.ask({ ...callers, ms: sizes.chargesMs })
    const ms = sizes.overloadMs
    const crowded = { paymentMethods, ms, patienceMs: PATIENCE_MS }
    const more = (TIMES_CAPACITY - 1) * capacity
    const [{ perSecond: besideCrowd }] = await Promise.all([
      load.ask({ ...callers, ms }),
      crowd.ask({ ...crowded, target: refusing, perSecond: more }),
    ])
    const perSecond = capacity + more
    const [answered, health] = await Promise.all([
      crowd.ask({ ...crowded, target, perSecond }),
      monitor.ask({ ...monitored, ms }),
    ])
    rounds.push({ capacity, besideCrowd, perSecond, answered, health })
  }
  return rounds
}

function servedOf({ capacity, answered }: Round): number {
  return answered.servedPerSecond / capacity
}

function servedBesideCrowd({ besideCrowd, answered }: Round): number {
  return answered.servedPerSecond / besideCrowd
}

function figuresOf(name: string, rounds: readonly Round[]): Figure[] {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const share = (pick: (answered: CrowdAnswered) => number) =>
    of(({ answered }) => (100 * pick(answered)) / answered.sent)
  const all: readonly (readonly [string, string, number, string])[] = [
    ['capacity', 'capacity', of((one) => one.capacity), '/s'],
    ['beside_crowd', 'capacity beside a crowd', of((one) => one.besideCrowd), '/s'],
    ['sent', 'sent', of((one) => one.perSecond), '/s'],
    ['served', 'served, of the capacity', of((one) => 100 * servedOf(one)), '%'],
    [
      'served_beside',
      'served, of that beside a crowd',
      of((one) => 100 * servedBesideCrowd(one)),
      '%',
    ],
    ['p50_ms', 'accepted, p50', of((one) => one.answered.p50Ms), 'ms'],
    ['p99_ms', 'accepted, p99', of((one) => one.answered.p99Ms), 'ms'],
    ['refused', 'refused, of all', share((one) => one.refused), '%'],
    ['refused_p99_ms', 'refused, p99', of((one) => one.answered.refusedP99Ms), 'ms'],
    ['pending', 'answered PENDING, of all', share((one) => one.pending + one.others), '%'],
    ['unanswered', 'unanswered', of((one) => one.answered.unanswered), ''],
    ['health_p99_ms', '/healthz, p99', of((one) => one.health.p99Ms), 'ms'],
    ['health_slowest_ms', '/healthz, slowest', of((one) => one.health.slowestMs), 'ms'],
    ['health_own_ms', '/healthz, slowest, own', of((one) => one.health.slowestOwnMs), 'ms'],
  ]
  return all.map(([figure, label, value, unit]) => ({
    name: `overload_${name}_${figure}`,
    label: `${name}: ${label}`,
    value,
    unit,
  }))
}
