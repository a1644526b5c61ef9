// The long-running processes: `start`, `api` and `worker`. They end on SIGINT and SIGTERM, when the
// running work is done or the grace period is over, and after a fatal failure. If anything throws
// or hangs at the start or at the end, the process still ends and says in one line what was wrong.
// Its status is 0 only if it ended because of a signal.

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Logger } from 'pino'
import { type Config, readConfig } from '../config.ts'
import { OperatorError } from '../core/operator-error.ts'
import { HOUR, SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { STOP_MS } from '../db/embedded/index.ts'
import { listenOn } from '../http/listen-on.ts'
import { flushLog, logPaint, openLog } from '../log.ts'
import { QUEUE_NAMES, type QueueName } from '../queue/catalogue.ts'
import { openService, type Service } from './open-service.ts'
import { fail } from './output.ts'
import type { ReportFault, Serving } from './run-service.ts'
import { listenForSignals, Stopped } from './stop.ts'

/** Lines are written within microseconds, unless the reader is stuck. */
const FLUSH_MS = SECOND

/** After the grace period, for closing connections. An embedded PostgreSQL has more time. */
const CLOSING_MS = 6 * SECOND

export async function serve(serving: Serving): Promise<void> {
  const stop = listenForSignals()
  // Keeps the process alive while a step waits for something that does not, such as the end of the
  // embedded PostgreSQL.
  setInterval(() => {}, HOUR)
  const report = reportFirst()
  let service: Service | undefined
  let log: Logger | undefined
  stop.ended.catch((reason) => {
    log?.info({ reason: reason.message }, 'stopping')
    endAtTheLatest(service, reason, report)
  })
  try {
    const config = readConfig()
    log = openLog(config.logLevel, undefined, logPaint(config, process.stdout))
    warnOfMisspelt(log, config)
    await assertPortsFree(config, serving.api)
    const load = () => loadParts(serving)
    service = await openService({ ...serving, log, load, ended: stop.ended })
    const { runService } = await import('./run-service.ts')
    await runService(service, serving, stop, report)
  } catch (error) {
    report(error)
  }
  if (log !== undefined) await isDoneWithin(FLUSH_MS, flushLog(log))
  // Parts that could not be closed in time must not keep the process alive: the rows have all
  // pending work.
  process.exit()
}

/** What the parts of this process need, before they are opened. */
async function loadParts({ api, queues }: Serving): Promise<void> {
  await Promise.all([
    import('./run-service.ts'),
    api && import('../http/app.ts'),
    queues.length > 0 && import('../../workers/index.ts'),
  ])
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

/** The first failure causes the others. It is reported at once, because the rest may hang. */
function reportFirst(): ReportFault {
  let isReported = false
  return (fault) => {
    if (isReported || fault instanceof Stopped) return
    isReported = true
    fail(fault)
  }
}

/** The last resort for a step that hangs and has no time limit of its own. */
function endAtTheLatest(service: Service | undefined, reason: Error, report: ReportFault): void {
  const { graceMs, drainMs, databaseUrl } = readConfig()
  const closingMs = CLOSING_MS + (databaseUrl === undefined ? STOP_MS : 0)
  const mostMs = service === undefined ? graceMs : drainMs + graceMs + closingMs
  setTimeout(() => {
    const hangs = service === undefined ? 'its database does not open' : 'its parts do not close'
    const late = `stopped by ${reason.message}, and ${hangs} within ${mostMs / SECOND} s`
    report(reason instanceof Stopped ? new OperatorError(late) : reason)
    process.exit()
  }, mostMs)
}

/** The link itself is a secret, which no log may contain. */
const WAY_IN = { console: 'lamplighter sign-in-link makes a link that signs in once' }

/** `lamplighter start`: the whole service in one process. It prints what a newcomer needs. */
export function startCommand(): Promise<void> {
  return serve({
    role: 'owner',
    api: true,
    queues: QUEUE_NAMES,
    async onReady({ world }, address) {
      const { welcome } = await import('./welcome.ts')
      process.stdout.write(await welcome(world, address ?? ''))
    },
  })
}

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

export function workerCommand(queues: readonly QueueName[]): Promise<void> {
  return serve({
    role: 'guest',
    api: false,
    queues: queues.length === 0 ? QUEUE_NAMES : queues,
  })
}
