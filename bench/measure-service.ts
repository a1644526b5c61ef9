// The work of the service in a second, compared with its database and its queue alone, all in the
// same minutes, because the speed of a machine changes, and changes all of them alike.

import { SECOND } from '../src/core/time-units.ts'
import type { Cleanups } from './cleanups.ts'
import { openCpuMeter } from './cpu-meter.ts'
import { startCrowd } from './crowd.ts'
import type { BenchDatabase } from './database.ts'
import { type ChargeFigures, startCallers } from './load.ts'
import type { MeasuredService } from './measured-service.ts'
import { makeMerchant } from './merchant.ts'
import { residentMb } from './processes.ts'
import { openBareQueue } from './queue.ts'
import { ROWS_REQUEST_ID, type RowsWritten, startRows } from './rows.ts'
import { KEY } from './service.ts'
import { type Counts, type Round, type Steady, serviceSection } from './service-section.ts'
import { CALLERS, ROW_CONNECTIONS, type Sizes, STEADY_PER_SECOND } from './sizes.ts'
import { openCounter } from './statements.ts'
import { measureTrip } from './trips.ts'

/** Longer than a charge takes whose job was lost. */
const PATIENCE_MS = 20 * SECOND

export async function measureService(measured: MeasuredService, sizes: Sizes, cleanups: Cleanups) {
  const idleMb = await memoryOf(measured)
  const round = await openRound(measured, sizes, cleanups)
  const rounds: Round[] = []
  while (rounds.length < sizes.rounds) rounds.push(await round.run())
  const busyMb = await memoryOf(measured)
  const alone = await round.counted(1, sizes.aloneMs)
  const steady = await round.steady(sizes.steadyMs)
  const busy = await round.counted(CALLERS, sizes.countedMs)
  await round.check()
  return serviceSection(measured, { rounds, alone, steady, busy, idleMb, busyMb })
}

async function openRound(measured: MeasuredService, sizes: Sizes, cleanups: Cleanups) {
  const target = { address: measured.services[0]?.address ?? '', key: KEY }
  const { database } = measured
  const merchant = await makeMerchant(target, database.client)
  const paymentMethods = merchant.paymentMethods.map(({ id }) => id)
  const load = startCallers(cleanups)
  const crowd = startCrowd(cleanups)
  const rows = startRows(cleanups)
  const queue = await openBareQueue(measured.store, cleanups)
  const counter = await openCounter(database)
  if (counter !== undefined) cleanups.add(counter.close)
  const cpu = openCpuMeter([
    ...measured.services,
    { name: 'PostgreSQL', pid: database.pid },
    ...measured.others,
  ])
  let completed = 0

  async function charge(connections: number, ms: number): Promise<ChargeFigures> {
    const charged = await load.ask({ target, paymentMethods, connections, ms })
    if (charged.others > 0) throw new Error(`${charged.others} charges were not answered SUCCESS`)
    completed += charged.completed
    return charged
  }

  function writeRows(ms: number): Promise<RowsWritten> {
    const connections = ROW_CONNECTIONS
    const order = { ...merchant, databaseUrl: database.url, connections, ms }
    return rows.ask(order)
  }

  await charge(CALLERS, sizes.warmUpMs)
  await writeRows(sizes.rowsMs / 2)
  await queue.run(sizes.emptyJobsMs)

  return {
    async run(): Promise<Round> {
      const written = await writeRows(sizes.rowsMs)
      const { result, used } = await cpu.during(() => charge(CALLERS, sizes.chargesMs))
      const jobsPerSecond = await queue.run(sizes.emptyJobsMs)
      return { rows: written, charged: result, cpu: used, jobsPerSecond }
    },
    async counted(connections: number, ms: number): Promise<Counts> {
      const before = await measured.queueTrips?.()
      const act = () => charge(connections, ms)
      const { result, counted } = (await counter?.count(act)) ?? { result: await act() }
      const after = await measured.queueTrips?.()
      const queueTrips = after === undefined ? undefined : after - (before ?? 0)
      return { charged: result, statements: counted, queueTrips }
    },
    async steady(ms: number): Promise<Steady> {
      const perSecond = STEADY_PER_SECOND
      const order = { target, paymentMethods, perSecond, ms, patienceMs: PATIENCE_MS }
      const { result, used } = await cpu.during(() => crowd.ask(order))
      const { pending, refused, others, unanswered } = result
      const failed = pending + refused + others + unanswered
      if (failed > 0) throw new Error(`${failed} of ${result.sent} steady charges had no outcome`)
      completed += result.sent
      const tripMs = await measureTrip(database.client, perSecond, ms / 3)
      return { answered: result, cpu: used, tripMs }
    },
    check: () => checkRows(database, completed),
  }
}

/** Checks that the answered charges are those that were written. */
export async function checkRows({ client }: BenchDatabase, completed: number): Promise<void> {
  const { rows } = await client.query(
    `SELECT count(*) FILTER (WHERE status = 'SUCCESS')::int AS final, count(*)::int AS all
    FROM transaction WHERE request_id <> $1`,
    [ROWS_REQUEST_ID],
  )
  const { final, all } = rows[0]
  if (final === completed && all === completed) return
  throw new Error(`${completed} charges were answered, but ${final} of ${all} rows are SUCCESS`)
}

function memoryOf({ services, worker }: MeasuredService): Promise<number> {
  return residentMb(services.find(({ name }) => name === worker)?.pid ?? 0)
}
