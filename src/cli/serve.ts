// The long-running processes: `start`, `api` and `worker`. They end on SIGINT and SIGTERM, when the
// running work is done or the grace period is over, and after a fatal failure. If anything throws
// or hangs at the start or at the end, the process still ends and says in one line what was wrong.
// Its status is 0 only if a signal told it to end and it did so.

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Logger } from 'pino'
import { OperatorError } from '../accounts/operator-error.ts'
import { type Config, readConfig } from '../config.ts'
import { HOUR, SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { EmbeddedError, STOP_MS, unlessGone } from '../db/embedded/index.ts'
import { listenOn } from '../http/listen-on.ts'
import { flushLog, logPaint, openLog } from '../log.ts'
import { QUEUE_NAMES, type QueueName } from '../queue/catalogue.ts'
import type { ProcessRole } from '../upkeep/keep-heartbeat.ts'
import { ensureSecretsKey } from '../upkeep/secrets-keys.ts'
import { watchClock } from '../upkeep/watch-clock.ts'
import type { World } from '../world.ts'
import { type Leave, OpenParts } from './open-parts.ts'
import { openService, type Service, type ServiceOptions } from './open-service.ts'
import { fail } from './output.ts'
import { ensureDemoKey } from './seed-demo.ts'
import { type Stop, Stopped, signalled } from './stop.ts'

interface Serving extends Pick<ServiceOptions, 'role' | 'parts'> {
  readonly api: boolean
  readonly queues: readonly QueueName[]
  /** Called when everything runs, with the served address if there is one. */
  readonly onReady?: (service: Service, address: string | undefined) => Promise<void>
}

/** Lines are written within microseconds, unless the reader is stuck. */
const FLUSH_MS = SECOND

/**
 * Without its database no running work can be recorded. So callers get the current state within
 * this time, and nothing else is waited for.
 */
const GONE_GRACE_MS = 2 * SECOND

/** After the grace period, for closing connections. An embedded PostgreSQL has more time. */
const CLOSING_MS = 6 * SECOND

export async function serve(serving: Serving): Promise<void> {
  const stop = signalled()
  // Keeps the process alive while a step waits for something that does not, such as the end of the
  // embedded PostgreSQL.
  setInterval(() => {}, HOUR)
  const tell = tellFirst()
  let service: Service | undefined
  let log: Logger | undefined
  stop.ended.catch((reason) => {
    log?.info({ reason: reason.message }, 'stopping')
    endAtTheLatest(service, reason, tell)
  })
  try {
    const config = readConfig()
    log = openLog(config.logLevel, undefined, logPaint(config, process.stdout))
    warnOfMisspelt(log, config)
    await assertPortsFree(config, serving.api)
    service = await openService({ ...serving, log, ended: stop.ended })
    await serveIn(service, serving, stop, tell)
  } catch (error) {
    tell(error)
  }
  if (log !== undefined) await isDoneWithin(FLUSH_MS, flushLog(log))
  // Parts that could not be closed in time must not keep the process alive: the rows have all
  // pending work.
  process.exit()
}

/**
 * Fails early if a port is in use, before a database is created or migrated. It releases the port
 * again: a load balancer that is refused tries another process, but one that connects to a process
 * that cannot answer yet waits.
 */
async function assertPortsFree(config: Config, api: boolean): Promise<void> {
  const { host, port, adminPort, workerPort } = config
  const ports = api ? { PORT: port, ADMIN_PORT: adminPort } : { WORKER_PORT: workerPort }
  for (const [setting, port] of Object.entries(ports)) {
    if (port === undefined || port === 0) continue
    const probe = createServer()
    await listenOn(probe, { host, port, setting })
    probe.close()
    await once(probe, 'close')
  }
}

function warnOfMisspelt(log: Logger, { misspelt }: Config): void {
  for (const { variable, setting } of misspelt) {
    log.warn({ variable, setting }, `${variable} is not a setting: did you mean ${setting}?`)
  }
}

type Tell = (fault: unknown) => void

/** The first failure causes the others. It is reported at once, because the rest may hang. */
function tellFirst(): Tell {
  let isTold = false
  return (fault) => {
    if (isTold || fault instanceof Stopped) return
    isTold = true
    fail(fault)
  }
}

/** The last resort for a step that hangs and has no time limit of its own. */
function endAtTheLatest(service: Service | undefined, reason: Error, tell: Tell): void {
  const { graceMs, drainMs, databaseUrl } = readConfig()
  const closingMs = CLOSING_MS + (databaseUrl === undefined ? STOP_MS : 0)
  const mostMs = service === undefined ? graceMs : drainMs + graceMs + closingMs
  setTimeout(() => {
    const hangs = service === undefined ? 'its database does not open' : 'its parts do not close'
    const late = `told to end by ${reason.message}, and ${hangs} within ${mostMs / SECOND} s`
    tell(reason instanceof Stopped ? new OperatorError(late) : reason)
    process.exit()
  }, mostMs)
}

async function serveIn(service: Service, serving: Serving, stop: Stop, tell: Tell): Promise<void> {
  const { world } = service
  const parts = new OpenParts(world)
  const clockWatch = watchClock(world)
  void service.databaseGone?.then(stop.fail)
  const reason = await live(service, parts, serving, stop).catch((error: Error) => error)
  stop.fail(reason)
  tell(reason)
  world.ending.approach()
  await parts.close(leaveFor(reason, world.config)).catch(tell)
  clockWatch.close()
  await service.close().catch(tell)
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
async function live(
  service: Service,
  parts: OpenParts,
  { api, queues, onReady }: Serving,
  stop: Stop,
): Promise<never> {
  const { world } = service
  const unlessEnded = <T>(step: Promise<T>): Promise<T> =>
    Promise.race([stop.ended, unlessGone(step, service.databaseGone)])
  await unlessEnded(keepKeys(world))
  const address = await unlessEnded(api ? parts.openApi() : parts.openProbes())
  if (queues.length > 0) await unlessEnded(parts.openWorkers(queues, stop))
  parts.keepHeartbeat({ role: processRole(api, queues), queues })
  await unlessEnded(onReady?.(service, address) ?? Promise.resolve())
  world.log.info({ address, queues }, 'ready')
  world.db.warmUp().catch((err) => world.log.warn({ err }, 'not warmed up'))
  return stop.ended
}

async function keepKeys(world: World): Promise<void> {
  await ensureSecretsKey(world)
  if (world.config.seedApiKey !== undefined) await ensureDemoKey(world, world.config.seedApiKey)
}

function processRole(api: boolean, queues: readonly QueueName[]): ProcessRole {
  if (!api) return 'worker'
  return queues.length === 0 ? 'api' : 'start'
}

/** The link itself is a secret, which no log may contain. */
const WAY_IN = { console: 'lamplighter sign-in-link makes a link that signs in once' }

/** `lamplighter api` and `lamplighter worker`: the parts that grow by adding processes. */
export function apiCommand(): Promise<void> {
  return serve({
    role: 'guest',
    api: true,
    queues: [],
    async onReady({ world }) {
      if (world.config.adminPassword === undefined) world.log.info(WAY_IN, 'no ADMIN_PASSWORD')
    },
  })
}

export function workerCommand(queues: readonly string[]): Promise<void> {
  return serve({
    role: 'guest',
    api: false,
    queues: queues.length === 0 ? QUEUE_NAMES : queues.map(named),
  })
}

function named(name: string): QueueName {
  const queue = QUEUE_NAMES.find((one) => one === name)
  if (queue === undefined) {
    throw new OperatorError(`there is no queue ${name}: ${QUEUE_NAMES.join(', ')}`)
  }
  return queue
}
