// What is measured: the processes of a service, and where they keep what they do.

import type { BenchDatabase } from './database.ts'
import type { QueueStore } from './queue.ts'
import type { Service } from './service.ts'

export interface MeasuredService {
  readonly name: 'redis' | 'embedded'
  readonly title: string
  readonly services: readonly Service[]
  /** Which of the services has its memory looked at. */
  readonly worker: string
  readonly database: BenchDatabase
  readonly store: QueueStore
  /** Processes beside the services and PostgreSQL. */
  readonly others: readonly { readonly name: string; readonly pid: number }[]
  /** Trips to the queue's store so far; undefined where they are statements, and counted as such. */
  readonly queueTrips: (() => Promise<number>) | undefined
}
