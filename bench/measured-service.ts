// The measured object: the processes of a service, and where they keep their data.

import type { BenchDatabase } from './database.ts'
import type { QueueStore } from './queue.ts'
import type { BenchService } from './service.ts'

export interface MeasuredService {
  readonly name: 'redis' | 'embedded'
  readonly title: string
  readonly services: readonly BenchService[]
  /** The service whose memory is measured. */
  readonly worker: string
  readonly database: BenchDatabase
  readonly store: QueueStore
  /** The processes beside the services and PostgreSQL. */
  readonly others: readonly { readonly name: string; readonly pid: number }[]
  /**
   * The number of trips to the queue's store so far; undefined if they are statements, which are
   * counted as such.
   */
  readonly queueTrips: (() => Promise<number>) | undefined
}
