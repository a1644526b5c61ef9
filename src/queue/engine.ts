// What carries the jobs: BullMQ on Redis, or BullMQ on PostgreSQL. Everything above is the same
// code on either.

import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq'
import type { PoolSize } from '../db/pool.ts'
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
  /** What a store of its own tells of itself; absent where it is our database. */
  readonly storeFacts?: () => Promise<StoreFacts>
  /** Of its pools of connections to PostgreSQL, where it has any. */
  poolSizes(): readonly PoolSize[]
  close(): Promise<void>
}

/** For whoever looks after it. Undefined is what it does not tell. */
export interface StoreFacts {
  readonly version: string | undefined
  readonly usedBytes: number | undefined
  /** 0 where there is no limit. */
  readonly mostBytes: number | undefined
  readonly keepsJournal: boolean
  readonly keepsSnapshots: boolean
  readonly role: string | undefined
  /** Of a cluster. */
  readonly clusterState: string | undefined
  /** The quickest of a few questions. */
  readonly roundTripMs: number
}

/** A store that would lose or corrupt jobs: nothing that waiting could mend. */
export class UnfitStore extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnfitStore'
  }
}

export type OnEngineError = (error: Error) => void
