// Charges with the queues in a Redis cluster of three masters, compared with one Redis in the same
// minutes; and what callers feel while the master of the queue of charges is killed and comes back.

import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../src/core/time-units.ts'
import { openCluster, type RedisCluster } from '../test/support/redis-topologies.ts'
import type { Cleanups } from './cleanups.ts'
import { openCpuMeter } from './cpu-meter.ts'
import { type CrowdAnswered, startCrowd } from './crowd.ts'
import { pidOf } from './line-ups.ts'
import { type ChargeFigures, startCallers } from './load.ts'
import { checkRows } from './measure-service.ts'
import type { MeasuredService } from './measured-service.ts'
import { makeMerchant } from './merchant.ts'
import { openRedisService } from './redis.ts'
import type { Figure, Section } from './report.ts'
import { KEY } from './service.ts'
import { CALLERS, type Sizes, STEADY_PER_SECOND } from './sizes.ts'
import { median, sum } from './statistics.ts'

/** Longer than a charge waits before it is answered PENDING. */
const PATIENCE_MS = 20 * SECOND

/** Longer than the payments that wait for the master take once it is back. */
const FINAL_WITHIN_MS = 60 * SECOND

interface Round {
  readonly charged: ChargeFigures
  readonly storeMicros: number
  readonly serviceMicros: number
}

type Phase = 'before' | 'killed' | 'back'

export async function measureCluster(sizes: Sizes, cleanups: Cleanups): Promise<Section> {
  const cluster = await openCluster()
  cleanups.add(async () => cluster[Symbol.asyncDispose]())
  const single = await openCharged(await openRedisService(cleanups), cleanups)
  const clustered = await openCharged(await onCluster(cluster, cleanups), cleanups)
  const rounds: { readonly single: Round; readonly cluster: Round }[] = []
  for (const one of [single, clustered]) await one.charge(sizes.warmUpMs)
  while (rounds.length < sizes.rounds) {
    rounds.push({
      single: await single.round(sizes.chargesMs),
      cluster: await clustered.round(sizes.chargesMs),
    })
  }
  for (const one of [single, clustered]) await one.check()
  const felt = await throughAKill(cluster, clustered, sizes.steadyMs)
  return {
    title: 'Redis Cluster: three masters, compared with one Redis',
    notes: [
      `Each with an api and two workers; ${CALLERS} callers, each waiting for its outcome; ${sizes.rounds} rounds in turn, medians.`,
      `${STEADY_PER_SECOND} charges a second for ${sizes.steadyMs / SECOND} s each: before; from the moment at which the master of their queue is killed;`,
      'and from the moment at which it is started again, once those before are answered.',
    ],
    figures: [
      ...figuresOf(
        'one Redis',
        'single',
        rounds.map((round) => round.single),
      ),
      ...figuresOf(
        'cluster',
        'cluster',
        rounds.map((round) => round.cluster),
      ),
      ...felt.flatMap(feltFigures),
    ],
    ratios: {
      charge_cluster_vs_single: median(
        rounds.map((round) => round.cluster.charged.perSecond / round.single.charged.perSecond),
      ),
    },
  }
}

async function onCluster(cluster: RedisCluster, cleanups: Cleanups): Promise<MeasuredService> {
  const ports = cluster.url.split(',').map((url) => Number(new URL(url).port))
  const others = ports.map(async (port, at) => ({
    name: `Redis ${at + 1}`,
    pid: await pidOf(port),
  }))
  return openRedisService(cleanups, { url: cluster.url, others: await Promise.all(others) })
}

async function openCharged(measured: MeasuredService, cleanups: Cleanups) {
  const target = { address: measured.services[0]?.address ?? '', key: KEY }
  const { client } = measured.database
  const merchant = await makeMerchant(target, client)
  const paymentMethods = merchant.paymentMethods.map(({ id }) => id)
  const load = startCallers(cleanups)
  const crowd = startCrowd(cleanups)
  const meter = openCpuMeter([...measured.services, ...measured.others])
  const stores = new Set(measured.others.map(({ name }) => name))
  let completed = 0

  async function charge(ms: number): Promise<ChargeFigures> {
    const charged = await load.ask({ target, paymentMethods, connections: CALLERS, ms })
    if (charged.others > 0) throw new Error(`${charged.others} charges were not answered SUCCESS`)
    completed += charged.completed
    return charged
  }

  return {
    client,
    charge,
    async round(ms: number): Promise<Round> {
      const { result, used } = await meter.during(() => charge(ms))
      const microsOf = (isStore: boolean) =>
        sum(used.filter(({ name }) => stores.has(name) === isStore).map(({ micros }) => micros))
      return { charged: result, storeMicros: microsOf(true), serviceMicros: microsOf(false) }
    },
    steadily: (ms: number): Promise<CrowdAnswered> =>
      crowd.ask({
        target,
        paymentMethods,
        perSecond: STEADY_PER_SECOND,
        ms,
        patienceMs: PATIENCE_MS,
      }),
    check: () => checkRows(measured.database, completed),
  }
}

async function throughAKill(
  cluster: RedisCluster,
  charged: Awaited<ReturnType<typeof openCharged>>,
  ms: number,
) {
  const before = await charged.steadily(ms)
  const killing = cluster.killNode()
  const killed = await charged.steadily(ms)
  await killing
  const starting = cluster.startNode()
  const back = await charged.steadily(ms)
  await starting
  await untilFinal(charged.client)
  const phases: readonly (readonly [Phase, CrowdAnswered])[] = [
    ['before', before],
    ['killed', killed],
    ['back', back],
  ]
  for (const [phase, { sent, others, unanswered }] of phases) {
    if (others + unanswered === 0) continue
    throw new Error(`${phase}: ${others + unanswered} of ${sent} charges were not accepted`)
  }
  return phases
}

const NOT_FINAL = `SELECT count(*)::integer AS count FROM transaction WHERE status = 'PENDING'`

async function untilFinal(client: MeasuredService['database']['client']): Promise<void> {
  const startedMs = performance.now()
  for (;;) {
    const { rows } = await client.query(NOT_FINAL)
    if (rows[0].count === 0) return
    if (performance.now() - startedMs > FINAL_WITHIN_MS) throw new Error('charges are not final')
    await delay(SECOND / 4)
  }
}

function figuresOf(who: string, name: string, rounds: readonly Round[]): Figure[] {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const cost = (pick: (round: Round) => number) =>
    of((round) => pick(round) / round.charged.completed)
  const figures: readonly (readonly [string, string, number, string])[] = [
    ['charges_per_second', 'charges', of(({ charged }) => charged.perSecond), '/s'],
    ['p50_ms', 'a charge, p50', of(({ charged }) => charged.p50Ms), 'ms'],
    ['p99_ms', 'a charge, p99', of(({ charged }) => charged.p99Ms), 'ms'],
    ['cpu_micros_store', 'CPU of Redis', cost((round) => round.storeMicros), 'µs a charge'],
    [
      'cpu_micros_service',
      'CPU of api and workers',
      cost((round) => round.serviceMicros),
      'µs a charge',
    ],
  ]
  return figures.map(([own, label, value, unit]) => ({
    name: `${name}_${own}`,
    label: `${who}: ${label}`,
    value,
    unit,
  }))
}

const PHASES: Readonly<Record<Phase, string>> = {
  before: 'steady, before',
  killed: 'from the kill on',
  back: 'from its start on',
}

function feltFigures([phase, answered]: readonly [Phase, CrowdAnswered]): Figure[] {
  const { sent, pending, refused, p50Ms, p99Ms } = answered
  const figure = (own: string, label: string, value: number, unit: string) => ({
    name: `cluster_${phase}_${own}`,
    label: `${PHASES[phase]}: ${label}`,
    value,
    unit,
  })
  return [
    figure('p50_ms', 'a charge, p50', p50Ms, 'ms'),
    figure('p99_ms', 'a charge, p99', p99Ms, 'ms'),
    figure('pending', `answered PENDING, of ${sent}`, pending, ''),
    figure('refused', 'refused', refused, ''),
  ]
}
