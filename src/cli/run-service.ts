// A long-running process from the opening of its parts to their end. It knows most of the code, so
// it is loaded while the embedded PostgreSQL starts.

import { SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import { EmbeddedError, unlessGone } from '../db/embedded/index.ts'
import type { QueueName } from '../queue/catalogue.ts'
import { EvictingStore, UnfitStore } from '../queue/engine.ts'
import type { ProcessRole } from '../upkeep/keep-heartbeat.ts'
import { ensureSecretsKey } from '../upkeep/secrets-keys.ts'
import { watchClock } from '../upkeep/watch-clock.ts'
import type { World } from '../world.ts'
import { type Leave, OpenParts } from './open-parts.ts'
import type { Service, ServiceOptions } from './open-service.ts'
import { ensureDemoKey } from './seed-demo.ts'
import { type Stop, Stopped } from './stop.ts'

export interface Serving extends Pick<ServiceOptions, 'role' | 'parts'> {
  readonly api: boolean
  readonly queues: readonly QueueName[]
  /** Called when everything runs, with the served address if there is one. */
  readonly onReady?: (service: Service, address: string | undefined) => Promise<void>
}

export type ReportFault = (fault: unknown) => void

/**
 * Without its database no running work can be recorded. So callers get the current state within
 * this time, and nothing else is waited for.
 */
const GONE_GRACE_MS = 2 * SECOND

/** A store that is there answers within milliseconds. */
const STORE_MS = SECOND

export async function runService(
  service: Service,
  serving: Serving,
  stop: Stop,
  report: ReportFault,
): Promise<void> {
  const { world } = service
  const parts = new OpenParts(world)
  const clockWatch = watchClock(world)
  void service.databaseGone?.then(stop.fail)
  const reason = await runUntilEnded(service, parts, serving, stop).catch((error: Error) => error)
  stop.fail(reason)
  report(reason)
  world.shutdown.begin()
  await parts.close(leaveFor(reason, world.config)).catch(report)
  clockWatch.close()
  await service.close().catch(report)
}

function leaveFor(reason: Error, { drainMs, graceMs }: World['config']): Leave {
  if (reason instanceof EmbeddedError) {
    return { drainMs: 0, graceMs: Math.min(GONE_GRACE_MS, graceMs) }
  }
  // After Ctrl-C by a person, no load balancer needs time to notice.
  const isTerminated = reason instanceof Stopped && reason.signal === 'SIGTERM'
  return { drainMs: isTerminated ? drainMs : 0, graceMs }
}

/** Rejects with the reason for the end. A step of the start may hang, so no signal waits for it. */
async function runUntilEnded(
  service: Service,
  parts: OpenParts,
  { api, queues, onReady }: Serving,
  stop: Stop,
): Promise<never> {
  const { world } = service
  const unlessEnded = <T>(step: Promise<T>): Promise<T> =>
    Promise.race([stop.ended, unlessGone(step, service.databaseGone)])
  await unlessEnded(keepKeys(world))
  if (api) await unlessEnded(refuseUnfitStore(world))
  const address = await unlessEnded(api ? parts.openApi() : parts.openProbes())
  if (queues.length > 0) await unlessEnded(parts.openWorkers(queues, stop))
  parts.keepHeartbeat({ role: processRole(api, queues), queues })
  await unlessEnded(onReady?.(service, address) ?? Promise.resolve())
  world.log.info({ address, queues }, 'ready')
  world.db.warmUp().catch((err) => world.log.warn({ err }, 'not warmed up'))
  return stop.ended
}

/** An API server starts while the store of its queues is away, but not with a wrong one. */
async function refuseUnfitStore({ log, queues: { engine } }: World): Promise<void> {
  try {
    await doneWithin(
      STORE_MS,
      engine.claim().then(() => engine.probe()),
    )
  } catch (error) {
    if (error instanceof EvictingStore) log.warn(error.message)
    else if (error instanceof UnfitStore) throw error
  }
}

async function keepKeys(world: World): Promise<void> {
  await ensureSecretsKey(world)
  if (world.config.seedApiKey !== undefined) await ensureDemoKey(world, world.config.seedApiKey)
}

function processRole(api: boolean, queues: readonly QueueName[]): ProcessRole {
  if (!api) return 'worker'
  return queues.length === 0 ? 'api' : 'start'
}
