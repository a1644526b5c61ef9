// The queue backend: BullMQ on Redis, or BullMQ on PostgreSQL. All other code is the same for both.

import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq'
import { NamedError } from '../core/named-error.ts'
import type { PoolSize } from '../db/pool.ts'
import type { JobData } from './catalogue.ts'
import type { Replies } from './replies.ts'

export type JobQueue = Queue<JobData>
export type JobWorker = Worker<JobData>
export type JobProcessor = Processor<JobData>

export interface Engine {
  readonly kind: 'redis' | 'postgres'
  /**
   * True if all rows of a kind that shares jobs are in one when they are nudged together, because
   * jobs are expensive and workers few.
   */
  readonly gathersAll: boolean
  /** True if finished jobs may be kept for display. */
  readonly keepsDone: boolean
  openQueue(name: string, options: Omit<QueueOptions, 'connection' | 'prefix'>): JobQueue
  openWorker(
    name: string,
    processor: JobProcessor,
    options: Omit<WorkerOptions, 'connection' | 'prefix'>,
  ): JobWorker
  openReplies(): Replies
  /**
   * Writes down whose queues these are, unless that is known: a store may be shared, and another
   * installation then refuses. For a process of the service, before it probes.
   */
  claim(): Promise<void>
  /** Throws if the store is away, and an UnfitStore if it exists but must not be used. */
  probe(): Promise<void>
  /** Throws a RefusingStore if the store answers and takes no jobs. For a worker's readiness. */
  probeWrites(): Promise<void>
  /** What a separate store reports about itself. Undefined if the store is our database. */
  storeFacts(): Promise<StoreFacts | undefined>
  /** The sizes of its connection pools to PostgreSQL, if it has any. */
  poolSizes(): readonly PoolSize[]
  close(): Promise<void>
}

/** For operators. Undefined values are not reported by the store. */
export interface StoreFacts {
  readonly version: string | undefined
  readonly usedBytes: number | undefined
  /** 0 if there is no limit. */
  readonly mostBytes: number | undefined
  readonly keepsJournal: boolean
  readonly role: string | undefined
  /** For a cluster only. */
  readonly clusterState: string | undefined
}

/** The store would lose or corrupt jobs, and waiting does not help. */
export class UnfitStore extends NamedError {
  readonly says: string
  readonly remedy: string

  constructor(says: string, remedy: string) {
    super(`${says}: ${remedy}`)
    this.says = says
    this.remedy = remedy
  }
}

/** Such a store loses jobs. Workers do not start with it, but what API servers do is safe. */
export class EvictingStore extends UnfitStore {}

/** It is full, is a replica, or lacks a right of its user. Workers wait until that has changed. */
export class RefusingStore extends NamedError {}

export type OnEngineError = (error: Error) => void
