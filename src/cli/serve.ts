// The processes that stay: `start`, `api` and `worker`. They end on SIGINT and SIGTERM, once what
// is under way is done or the grace is over.

import type { AddressInfo } from 'node:net'
import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { flushLog } from '../log.ts'
import type { QueueName } from '../queue/catalogue.ts'
import { UnfitStore } from '../queue/engine.ts'
import { keepSchedulers } from '../upkeep/keep-schedulers.ts'
import { ensureDemoKey } from '../upkeep/seed-demo.ts'
import { sweep } from '../upkeep/sweep.ts'
import type { World } from '../world.ts'
import { type House, type HouseOptions, openHouse } from './open-house.ts'

export interface Serving extends Pick<HouseOptions, 'role' | 'parts'> {
  readonly api: boolean
  readonly queues: readonly QueueName[]
  /** Called when everything runs, with the address that is served, where one is. */
  readonly onReady?: (house: House, address: string | undefined) => Promise<void>
}

/** Lines go out within microseconds, or nobody reads them. */
const FLUSH_MS = SECOND

const MOST_PROBE_WAIT_MS = 5 * SECOND

export async function serve(serving: Serving): Promise<void> {
  const stop = signalled()
  const house = await openHouse(serving)
  const { world } = house
  try {
    if (world.config.seedApiKey !== undefined) await ensureDemoKey(world, world.config.seedApiKey)
    const parts = await openParts(world, serving, stop)
    await serving.onReady?.(house, parts.address)
    world.log.info({ address: parts.address, queues: serving.queues }, 'ready')
    world.db.warmUp().catch((err) => world.log.warn({ err }, 'not warmed up'))
    const reason = await Promise.race([stop.reason, house.databaseGone.then(gone)])
    world.log.info({ reason }, 'stopping')
    await parts.close()
    if (reason.startsWith('database')) process.exitCode = 1
  } finally {
    await house.close()
    stop.done()
  }
  await isDoneWithin(FLUSH_MS, flushLog(house.world.log))
  // What could not be closed in time must not keep the process: the rows know what it owes.
  process.exit()
}

interface Parts {
  readonly address: string | undefined
  close(): Promise<void>
}

async function openParts(world: World, serving: Serving, stop: Stop): Promise<Parts> {
  const api = serving.api ? await openApi(world) : undefined
  const { graceMs } = world.config
  try {
    const workers =
      serving.queues.length > 0 ? await openWorkers(world, serving.queues, stop) : undefined
    return {
      address: api?.address,
      async close() {
        await Promise.all([api?.close(graceMs), workers?.close(graceMs)])
      },
    }
  } catch (error) {
    // A process that listens on would not end.
    await api?.close(graceMs)
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
    close: (graceMs: number) => isDoneWithin(graceMs, app.close()),
  }
}

async function openWorkers(world: World, queues: readonly QueueName[], stop: Stop) {
  const { WORKERS } = await import('../../workers/index.ts')
  const { processorOf } = await import('../../workers/run.ts')
  await probed(world, stop)
  for (const queue of queues) world.queues.work(queue, processorOf(world, queue, WORKERS[queue]))
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

interface Stop {
  readonly reason: Promise<string>
  readonly isStopped: boolean
  done(): void
}

/** Hears the signals from the first moment on; a second one ends the process at once. */
function signalled(): Stop {
  const state = { isStopped: false }
  let resolveReason: (reason: string) => void = () => {}
  const reason = new Promise<string>((resolve) => {
    resolveReason = resolve
  })
  const hear = (signal: NodeJS.Signals) => {
    if (state.isStopped) process.exit(1)
    state.isStopped = true
    resolveReason(signal)
  }
  process.on('SIGINT', hear).on('SIGTERM', hear)
  return {
    reason,
    get isStopped() {
      return state.isStopped
    },
    done: () => process.off('SIGINT', hear).off('SIGTERM', hear),
  }
}

function gone(detail: string): string {
  return `database gone: ${detail}`
}
