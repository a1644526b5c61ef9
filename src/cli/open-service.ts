// The beginning of the service, and of commands that need all of it: reads the settings,
// updates the database and its queues, or checks them, and opens a world.

import type { Logger } from 'pino'
import { readConfig } from '../config.ts'
import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { unlessGone } from '../db/embedded/index.ts'
import { openLog } from '../log.ts'
import { runningVersion } from '../package.ts'
import { openTracer } from '../telemetry/open-tracer.ts'
import { noTracer } from '../telemetry/tracer.ts'
import type { World, WorldParts } from '../world.ts'
import {
  type DatabaseServer,
  type DatabaseServerOptions,
  openDatabaseServer,
  prepareDatabase,
  type SchemaUse,
} from './open-database.ts'

export interface Service {
  readonly world: World
  readonly databaseUrl: string
  /** Migrations that this process applied. */
  readonly applied: readonly string[]
  /** Resolves if the embedded database ends unexpectedly. Undefined if another process owns it. */
  readonly databaseGone: Promise<Error> | undefined
  close(): Promise<void>
}

/** Connections close within milliseconds, except one that waits forever. */
const CLOSE_MS = 5 * SECOND

export interface ServiceOptions extends DatabaseServerOptions {
  /** For a long-running process. A command only reports failures, on standard error. */
  readonly log?: Logger
  /** Replacements in tests. */
  readonly parts?: Pick<WorldParts, 'clock' | 'timings' | 'withGateway'>
  /** If the caller has opened it. */
  readonly server?: DatabaseServer
  /** By default, for a process of the service, the database and its queues are migrated. */
  readonly schema?: SchemaUse
  /** Loads code that is needed later, while PostgreSQL starts. */
  readonly load?: () => Promise<void>
  /** Rejects when the process must end, even if the service is not open yet. */
  readonly ended?: Promise<never>
}

export async function openService(options: ServiceOptions): Promise<Service> {
  const config = readConfig()
  const { schema = 'migrate' } = options
  const log = options.log ?? openLog('warn', process.stderr)
  let onLaunch = () => {}
  const launched = new Promise<void>((resolve) => {
    onLaunch = resolve
  })
  const opening = options.server ?? openDatabaseServer(config, { ...options, onLaunch })
  // PostgreSQL starts while the rest of the code is being loaded, which keeps this process busy.
  await Promise.race([launched, opening])
  const [server, { openWorld }, tracer, { migrateQueues }] = await Promise.all([
    opening,
    import('../world.ts'),
    // A command ends before anybody could look at its traces.
    schema !== 'migrate' ? noTracer : openTracer(config, runningVersion(), log),
    import('../queue/postgres-engine.ts'),
    options.load?.(),
  ])
  const { ended = new Promise<never>(() => {}) } = options
  const unlessEnded = <T>(step: Promise<T>): Promise<T> =>
    Promise.race([ended, unlessGone(step, server.gone)])
  try {
    const applied = await unlessEnded(prepareDatabase(config, server, schema))
    const hasOwnQueues = config.redis === undefined
    if (hasOwnQueues && schema === 'migrate') await unlessEnded(migrateQueues(server.url))
    const world = openWorld({ config, databaseUrl: server.url, log, tracer, ...options.parts })
    await unlessEnded(world.clock.measure()).catch(async (error) => {
      await isDoneWithin(CLOSE_MS, world.close())
      throw error
    })
    return {
      world,
      databaseUrl: server.url,
      applied,
      databaseGone: server.gone,
      async close() {
        try {
          const isClosed = await isDoneWithin(CLOSE_MS, world.close())
          if (!isClosed) world.log.warn('connections did not close in time')
        } finally {
          await server.stop()
        }
      },
    }
  } catch (error) {
    // The first failure is the one to report.
    await server.stop().catch(() => {})
    throw error
  }
}

/** For a command: opens a world, and closes it in every case. */
export async function withWorld(
  act: (world: World) => Promise<void>,
  options: Pick<ServiceOptions, 'log' | 'schema' | 'server'> = {},
): Promise<void> {
  const service = await openService({ role: 'guest', schema: 'exactly', ...options })
  try {
    await act(service.world)
  } finally {
    await service.close()
  }
}
