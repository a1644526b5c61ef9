// The processes that stay: `start`, `api` and `worker`. They end on SIGINT and SIGTERM, once what
// is under way is done or the grace is over.

import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../config.ts'
import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import type { WorkerProbes } from '../http/worker-probes.ts'
import { flushLog } from '../log.ts'
import type { QueueName } from '../queue/catalogue.ts'
import { UnfitStore } from '../queue/engine.ts'
import { keepPulse, type ProcessRole } from '../upkeep/keep-pulse.ts'
import { keepSchedulers } from '../upkeep/keep-schedulers.ts'
import { ensureDemoKey } from '../upkeep/seed-demo.ts'
import { sweep } from '../upkeep/sweep.ts'
import type { World } from '../world.ts'
import { type House, type HouseOptions, openHouse } from './open-house.ts'
import { type Stop, signalled } from './stop.ts'

export interface Serving extends Pick<HouseOptions, 'role' | 'parts'> {
  readonly api: boolean
  readonly queues: readonly QueueName[]
  /** Called when everything runs, with the address that is served, where one is. */
  readonly onReady?: (house: House, address: string | undefined) => Promise<void>
}

/** Lines go out within microseconds, or nobody reads them. */
const FLUSH_MS = SECOND

const MOST_PROBE_WAIT_MS = 5 * SECOND

/** Of the grace; in the rest of it what is answered goes out. */
const PATIENT_SHARE = 0.8

export async function serve(serving: Serving): Promise<void> {
  const stop = signalled()
  const house = await openInTime(serving, stop)
  const { world } = house
  try {
    if (world.config.seedApiKey !== undefined) await ensureDemoKey(world, world.config.seedApiKey)
    const parts = await openParts(world, serving, stop)
    const pulse = keepPulse(world, { role: processRole(serving), queues: serving.queues })
    await serving.onReady?.(house, parts.address)
    world.log.info({ address: parts.address, queues: serving.queues }, 'ready')
    world.db.warmUp().catch((err) => world.log.warn({ err }, 'not warmed up'))
    const reason = await Promise.race([stop.reason, house.databaseGone.then(gone)])
    world.log.info({ reason }, 'stopping')
    world.ending.approach()
    pulse.drain()
    await parts.close(reason)
    await pulse.close()
    if (reason.startsWith('database')) process.exitCode = 1
  } finally {
    await house.close()
    stop.done()
  }
  await isDoneWithin(FLUSH_MS, flushLog(house.world.log))
  // What could not be closed in time must not keep the process: the rows know what it owes.
  process.exit()
}

/** Who is told to end before it has begun waits for its database no longer than its grace. */
async function openInTime(serving: Serving, stop: Stop): Promise<House> {
  const opening = openHouse(serving)
  let isOpening = true
  void stop.reason.then(() => {
    const { graceMs } = readConfig()
    setTimeout(() => isOpening && process.exit(), graceMs).unref()
  })
  return opening.finally(() => {
    isOpening = false
  })
}

function processRole({ api, queues }: Serving): ProcessRole {
  if (!api) return 'worker'
  return queues.length === 0 ? 'api' : 'start'
}

interface Parts {
  readonly address: string | undefined
  close(reason: string): Promise<void>
}

async function openParts(world: World, serving: Serving, stop: Stop): Promise<Parts> {
  const api = serving.api ? await openApi(world) : undefined
  const probes = serving.api ? undefined : await openProbes(world)
  const { graceMs } = world.config
  try {
    const workers =
      serving.queues.length > 0 ? await openWorkers(world, serving.queues, stop, probes) : undefined
    return {
      address: api?.address,
      async close(reason) {
        // Nobody sends callers elsewhere when it is a person who ends us.
        if (api !== undefined && reason === 'SIGTERM') await delay(world.config.drainMs)
        const untilMs = performance.now() + graceMs
        const closing = api?.close(graceMs) ?? Promise.resolve()
        // Those who wait at the intake may wait for these very workers.
        await isDoneWithin(graceMs / 2, closing)
        await Promise.all([closing, workers?.close(untilMs - performance.now())])
        probes?.close()
      },
    }
  } catch (error) {
    // A process that listens on would not end.
    await api?.close(graceMs)
    probes?.close()
    throw error
  }
}

async function openApi(world: World) {
  const { buildApp } = await import('../http/app.ts')
  const app = await buildApp(world)
  world.log.debug({ replies: world.queues.replies.address }, 'hears of finished payments')
  const { host, port } = world.config
  await app.listen({ host, port })
  world.listensOn((app.server.address() as AddressInfo).port)
  return {
    address: world.publicAddress(),
    async close(graceMs: number) {
      const hurrying = setTimeout(() => answerAll(world), graceMs * PATIENT_SHARE)
      await isDoneWithin(graceMs, app.close())
      clearTimeout(hurrying)
    },
  }
}

/** Who waits longer than we may stay is told what is known. */
function answerAll(world: World): void {
  world.ending.arrive()
  world.queues.replies.wakeAll()
}

async function openProbes(world: World): Promise<WorkerProbes | undefined> {
  const { workerPort } = world.config
  if (workerPort === undefined) return undefined
  const { openWorkerProbes } = await import('../http/worker-probes.ts')
  return openWorkerProbes(world, workerPort)
}

async function openWorkers(
  world: World,
  queues: readonly QueueName[],
  stop: Stop,
  probes: WorkerProbes | undefined,
) {
  const { WORKERS } = await import('../../workers/index.ts')
  const { processorOf } = await import('../../workers/run.ts')
  await probed(world, stop)
  if (stop.isStopped) return undefined
  for (const queue of queues) {
    const worker = world.queues.work(queue, processorOf(world, queue, WORKERS[queue]))
    probes?.watch(worker)
  }
  await Promise.race([world.queues.workersReady(), stop.reason])
  // What fell due while nobody worked need not wait for the next round.
  sweep(world).catch((err) => world.log.warn({ err }, 'no sweep'))
  const keep = () => keepSchedulers(world).catch((err) => world.log.warn({ err }, 'no schedulers'))
  void keep()
  const keeping = setInterval(keep, world.timings.keepSchedulesEveryMs)
  return {
    async close(graceMs: number) {
      clearInterval(keeping)
      const ending = await world.queues.drain(graceMs)
      world.log.info({ ending }, 'workers stopped')
    },
  }
}

/**
 * A worker that is built while its store is away may never work again: so none is, until the store
 * answers.
 */
async function probed(world: World, stop: Stop): Promise<void> {
  for (let waitMs = 100; !stop.isStopped; waitMs = Math.min(waitMs * 2, MOST_PROBE_WAIT_MS)) {
    try {
      return await world.queues.probe()
    } catch (error) {
      if (error instanceof UnfitStore) throw error
      world.log.warn({ err: error, waitMs }, 'the queue store is away')
      await Promise.race([new Promise((resolve) => setTimeout(resolve, waitMs)), stop.reason])
    }
  }
}

function gone(detail: string): string {
  return `database gone: ${detail}`
}
