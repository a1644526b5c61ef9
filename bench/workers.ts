// The gain of more processes: the same load on one, two and four workers, and on a second API
// server. If all of them share a few cores with the database and the load, the cost of each shows
// how far more machines would carry.

import type { Cleanups } from './cleanups.ts'
import { type CpuMeter, type CpuUse, openCpuMeter } from './cpu-meter.ts'
import { type GrowingService, type Kind, LINE_UPS, openGrowingService } from './line-ups.ts'
import { type ChargeFigures, startCallers } from './load.ts'
import { checkRows } from './measure-service.ts'
import { makeMerchant } from './merchant.ts'
import { residentMb } from './processes.ts'
import type { Section } from './report.ts'
import { type RowsWritten, startRows } from './rows.ts'
import { KEY } from './service.ts'
import { CALLERS, ROW_CONNECTIONS, type Sizes } from './sizes.ts'
import { sum } from './statistics.ts'
import { type Grown, type GrownRound, workersSection } from './workers-section.ts'

export async function measureWorkers(sizes: Sizes, cleanups: Cleanups): Promise<Section> {
  const measured = await openGrowingService(cleanups)
  const load = await openLoad(measured, cleanups)
  const grown: Grown[] = []
  for (const lineUp of LINE_UPS) {
    await measured.growTo(lineUp)
    await load.charge(sizes.warmUpMs)
    await load.writeRows(sizes.rowsMs / 2)
    const meter = meterOf(measured)
    const rounds: GrownRound[] = []
    while (rounds.length < sizes.rounds) rounds.push(await oneRound(load, meter, sizes))
    grown.push({ ...lineUp, rounds, memoryMb: await memoryOf(measured) })
  }
  await load.check()
  return workersSection(grown)
}

interface GrowingLoad {
  charge(ms: number): Promise<ChargeFigures>
  writeRows(ms: number): Promise<RowsWritten>
  check(): Promise<void>
}

async function openLoad(measured: GrowingService, cleanups: Cleanups): Promise<GrowingLoad> {
  const { database } = measured
  await measured.growTo({ apis: 1, workers: 1 })
  const target = { address: measured.running('api')[0]?.address ?? '', key: KEY }
  const merchant = await makeMerchant(target, database.client)
  const paymentMethods = merchant.paymentMethods.map(({ id }) => id)
  const load = startCallers(cleanups)
  const rows = startRows(cleanups)
  let completed = 0
  return {
    async charge(ms) {
      const addresses = measured.running('api').map(({ address }) => address ?? '')
      const order = { target, addresses, paymentMethods, connections: CALLERS, ms }
      const charged = await load.ask(order)
      if (charged.others > 0) throw new Error(`${charged.others} charges were not answered SUCCESS`)
      completed += charged.completed
      return charged
    },
    writeRows: (ms) =>
      rows.ask({ ...merchant, databaseUrl: database.url, connections: ROW_CONNECTIONS, ms }),
    check: () => checkRows(database, completed),
  }
}

async function oneRound(load: GrowingLoad, meter: CpuMeter, sizes: Sizes): Promise<GrownRound> {
  const rows = await load.writeRows(sizes.rowsMs)
  const { result, used } = await meter.during(() => load.charge(sizes.chargesMs))
  return { rows, charged: result, cpu: byName(used) }
}

function meterOf(measured: GrowingService): CpuMeter {
  return openCpuMeter([
    ...measured.running('api').map(({ pid }) => ({ name: 'api', pid })),
    ...measured.running('worker').map(({ pid }) => ({ name: 'workers', pid })),
    { name: 'PostgreSQL', pid: measured.database.pid },
    { name: 'Redis', pid: measured.redisPid },
  ])
}

function byName(used: readonly CpuUse[]): CpuUse[] {
  const names = [...new Set(used.map(({ name }) => name))]
  return names.map((name) => {
    const micros = sum(used.filter((one) => one.name === name).map((one) => one.micros))
    return { name, micros }
  })
}

async function memoryOf(measured: GrowingService): Promise<Grown['memoryMb']> {
  const mean = async (kind: Kind) => {
    const sizes = await Promise.all(measured.running(kind).map(({ pid }) => residentMb(pid)))
    return sum(sizes) / sizes.length
  }
  return { api: await mean('api'), worker: await mean('worker') }
}
