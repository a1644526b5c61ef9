// Another process of the service with a service's stores: an API server without workers.

import type { DestinationStream } from 'pino'
import { type App, buildApp } from '../../src/http/app.ts'
import { openLog } from '../../src/log.ts'
import { openWorld, type World } from '../../src/world.ts'
import type { TestService } from './test-service.ts'

export interface Further extends AsyncDisposable {
  readonly world: World
  readonly app: App
}

export async function openFurther(
  { world: first, databaseUrl }: TestService,
  log?: DestinationStream,
): Promise<Further> {
  const world = openWorld({
    config: first.config,
    databaseUrl,
    log: openLog(log === undefined ? 'silent' : 'info', log),
    clock: first.clock,
    timings: first.timings,
  })
  const app = await buildApp(world)
  return {
    world,
    app,
    async [Symbol.asyncDispose]() {
      await app.close()
      await world.close()
    },
  }
}
