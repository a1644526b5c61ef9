// The parts of a long-running process. They are opened one after another, and all open parts are
// closed at the end, even if others were never opened.

import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { namingFault } from '../http/listen-on.ts'
import type { WorkerProbes } from '../http/worker-probes.ts'
import type { QueueName } from '../queue/catalogue.ts'
import { UnfitStore } from '../queue/engine.ts'
import { type BeatingProcess, type Heartbeat, keepHeartbeat } from '../upkeep/keep-heartbeat.ts'
import { watchSchedulers } from '../upkeep/keep-schedulers.ts'
import { sweep } from '../upkeep/sweep.ts'
import { watchOverdue } from '../upkeep/watch-overdue.ts'
import type { World } from '../world.ts'
import type { Stop } from './stop.ts'

export interface Leave {
  /**
   * How long callers may still arrive, because the load balancer does not know yet that this
   * process ends.
   */
  readonly drainMs: number
  /** How long running work may take. */
  readonly graceMs: number
}

const MOST_PROBE_WAIT_MS = 5 * SECOND

/**
 * Connections that wait to be accepted. Many callers at once arrive faster than Node accepts them.
 */
const BACKLOG = 4_096

/** Part of the grace period. The rest of it is for sending the answers. */
const PATIENT_SHARE = 0.8

export class OpenParts {
  readonly #world: World
  #api: { close(graceMs: number): Promise<void> } | undefined
  #probes: WorkerProbes | undefined
  #hasWorkers = false
  #stopKeeping: () => void = () => {}
  #heartbeat: Heartbeat | undefined

  constructor(world: World) {
    this.#world = world
  }

  /** Returns its address. */
  async openApi(): Promise<string> {
    this.#api = await openApi(this.#world)
    return this.#world.publicAddress()
  }

  async openProbes(): Promise<undefined> {
    const { workerPort } = this.#world.config
    if (workerPort === undefined) return
    const { openWorkerProbes } = await import('../http/worker-probes.ts')
    this.#probes = await openWorkerProbes(this.#world, workerPort)
  }

  async openWorkers(queues: readonly QueueName[], stop: Stop): Promise<void> {
    const { WORKERS } = await import('../../workers/index.ts')
    const { processorOf } = await import('../../workers/run.ts')
    const { queues: store, log } = this.#world
    await probed(this.#world, stop)
    this.#hasWorkers = true
    for (const queue of queues) {
      const worker = store.work(queue, processorOf(this.#world, queue, WORKERS[queue]))
      this.#probes?.watch(worker)
      // One after the other: all at once they would open a connection each for their first look.
      await store.workersReady()
    }
    // Work that fell due while no worker ran need not wait for the next round.
    sweep(this.#world).catch((err) =>
      log.warn({ err }, 'the sweep at the start failed: the next one follows soon'),
    )
    const watches = [watchOverdue(this.#world), watchSchedulers(this.#world)]
    this.#stopKeeping = () => {
      for (const watch of watches) watch.close()
    }
  }

  keepHeartbeat(of: BeatingProcess): void {
    this.#heartbeat = keepHeartbeat(this.#world, of)
  }

  /** Closes all parts even if some fail, and then throws the first error. */
  async close({ drainMs, graceMs }: Leave): Promise<void> {
    this.#heartbeat?.drain()
    if (this.#api !== undefined) await delay(drainMs)
    const untilMs = performance.now() + graceMs
    const api = this.#api?.close(graceMs)
    // Callers of the API server may wait for these very workers.
    await isDoneWithin(graceMs / 2, Promise.allSettled([api]))
    const endings = await Promise.allSettled([api, this.#drain(untilMs - performance.now())])
    this.#probes?.close()
    await this.#heartbeat?.close()
    for (const ending of endings) if (ending.status === 'rejected') throw ending.reason
  }

  async #drain(graceMs: number): Promise<void> {
    if (!this.#hasWorkers) return
    this.#stopKeeping()
    const ending = await this.#world.queues.drain(graceMs)
    this.#world.log.info({ ending }, 'workers stopped')
  }
}

async function openApi(world: World) {
  const [{ buildApp }, { listenForOperators }] = await Promise.all([
    import('../http/app.ts'),
    import('../http/operators-port.ts'),
  ])
  const app = await buildApp(world)
  world.log.debug(
    { replies: world.queues.replies.address },
    'receives replies about finished payments',
  )
  const { host, port } = world.config
  await namingFault({ host, port, setting: 'PORT' }, () =>
    app.listen({ host, port, backlog: BACKLOG }),
  )
  const operators = await listenForOperators(world, app)
  world.listensOn((app.server.address() as AddressInfo).port, operators?.port)
  return {
    async close(graceMs: number) {
      const hurrying = setTimeout(() => answerAll(world), graceMs * PATIENT_SHARE)
      operators?.close()
      await isDoneWithin(graceMs, app.close())
      clearTimeout(hurrying)
    },
  }
}

/** Callers that wait longer than the process may live get the current state. */
function answerAll(world: World): void {
  world.shutdown.finish()
  world.queues.replies.wakeAll()
}

/**
 * A worker that is created while its store is away may never work. So none is created until the
 * store answers.
 */
async function probed(world: World, stop: Stop): Promise<void> {
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, MOST_PROBE_WAIT_MS)) {
    try {
      const { engine } = world.queues
      return await Promise.race([stop.ended, engine.claim().then(() => engine.probe())])
    } catch (error) {
      if (error instanceof UnfitStore || stop.isStopped) throw error
      world.log.warn({ err: error, waitMs }, 'the queue store is away')
      await Promise.race([stop.ended, delay(waitMs)])
    }
  }
}
