// What carries the jobs: BullMQ on Redis, or BullMQ on PostgreSQL. Everything above is the same
// code on either.

import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq'
import type { JobData } from './catalogue.ts'
import type { Replies } from './replies.ts'

export type JobQueue = Queue<JobData>
export type JobWorker = Worker<JobData>
export type JobProcessor = Processor<JobData>

export interface Engine {
  readonly kind: 'redis' | 'postgres'
  /**
   * One job for all rows that are nudged together: where a job is dear, and there are few workers.
   */
  readonly gathersAll: boolean
  /** Whether finished jobs may be kept to be looked at. */
  readonly keepsDone: boolean
  openQueue(name: string, options: Omit<QueueOptions, 'connection' | 'prefix'>): JobQueue
  openWorker(
    name: string,
    processor: JobProcessor,
    options: Omit<WorkerOptions, 'connection' | 'prefix'>,
  ): JobWorker
  openReplies(): Replies
  /** Throws when the store is away, and an UnfitStore when it is there but must not be used. */
  probe(): Promise<void>
  close(): Promise<void>
}

/** A store that would lose or corrupt jobs: nothing that waiting could mend. */
export class UnfitStore extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnfitStore'
  }
}

export type OnEngineError = (error: Error) => void
