// What the queues are built upon.

import type { Logger } from 'pino'
import type { SharedClock } from '../outside/clock.ts'
import type { Timings } from '../timings.ts'
import type { Engine } from './engine.ts'
import type { ErrorFuse } from './error-fuse.ts'

export interface QueuesNeeds {
  readonly engine: Engine
  readonly fuse: ErrorFuse
  readonly log: Logger
  readonly clock: SharedClock
  readonly timings: Timings
  /** The trace under way, for whoever works on what it nudges. */
  readonly carried: () => string | undefined
}
