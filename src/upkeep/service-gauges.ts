// The state of the whole service as gauges. Each part is read separately, so that one failure
// leaves the others.

import { SECOND } from '../core/time-units.ts'
import { isStandbyOfPrimary } from '../db/replica.ts'
import { openBatchLatenessMs } from '../settlement/due-batches.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { World } from '../world.ts'
import { type DueRows, dueDeliveries, dueWork, parkedByKind } from './due-by-kind.ts'
import { listProcesses, PROCESS_ROLES } from './keep-heartbeat.ts'
import { queueDepths } from './queue-depths.ts'

/** Returns a function that shows the values once all of them are known. */
export type ReadPart = (world: World) => Promise<(metrics: Metrics) => void>

export const PARTS: readonly (readonly [part: string, read: ReadPart])[] = [
  ['due', (world) => readDue(world, dueWork)],
  ['deliveries', (world) => readDue(world, dueDeliveries)],
  ['parked', readParked],
  ['batches', readBatches],
  ['queues', readQueues],
  ['processes', readProcesses],
  ['clock', readClock],
  ['replica', readReplica],
]

/** Removes old values, so that a part that cannot be read shows nothing. */
export function clearGauges(metrics: Metrics): void {
  const { dueRows, oldestDue, parked, queueJobs, queueAge, processes } = metrics
  for (const gauge of [dueRows, oldestDue, parked, queueJobs, queueAge, processes]) gauge.reset()
  // Without labels, a reset would show zero.
  const { openBatchLateness, clockSkew, replicaBehind } = metrics
  for (const gauge of [openBatchLateness, clockSkew, replicaBehind]) gauge.remove()
}

async function readDue(world: World, read: (of: World) => Promise<readonly DueRows[]>) {
  const due = await read(world)
  const now = world.clock.now().getTime()
  return ({ dueRows, oldestDue }: Metrics) => {
    for (const { kind, count, oldestDueAt } of due) {
      dueRows.set({ kind }, count)
      oldestDue.set({ kind }, oldestDueAt === null ? 0 : (now - oldestDueAt.getTime()) / SECOND)
    }
  }
}

async function readParked(world: World) {
  const found = await parkedByKind(world)
  return ({ parked }: Metrics) => {
    for (const { kind, count } of found) parked.set({ kind }, count)
  }
}

async function readBatches(world: World) {
  const latenessMs = await openBatchLatenessMs(world)
  return ({ openBatchLateness }: Metrics) => openBatchLateness.set(latenessMs / SECOND)
}

async function readQueues(world: World) {
  const depths = await queueDepths(world)
  return ({ queueJobs, queueAge }: Metrics) => {
    for (const { queue, oldestWaitingMs, ...states } of depths) {
      for (const [state, count] of Object.entries(states)) queueJobs.set({ queue, state }, count)
      queueAge.set({ queue }, (oldestWaitingMs ?? 0) / SECOND)
    }
  }
}

async function readProcesses(world: World) {
  const living = await listProcesses(world)
  return ({ processes }: Metrics) => {
    for (const role of PROCESS_ROLES) {
      processes.set({ role }, living.filter((one) => one.role === role).length)
    }
  }
}

async function readClock(world: World) {
  await world.clock.measure()
  return ({ clockSkew }: Metrics) => clockSkew.set(Math.abs(world.clock.skewMs()) / SECOND)
}

/** One that is away is no part that cannot be read: the primary answers in its place. */
async function readReplica({ replica }: World) {
  const look = await replica?.look().catch(() => undefined)
  return ({ replicaBehind }: Metrics) => {
    if (look !== undefined && isStandbyOfPrimary(look)) replicaBehind.set(look.behindBytes)
  }
}
